#!/bin/sh
# Runs node as the user nobody with a read-only root; only the folders in WRITABLE (separated by spaces) can be written.
exec unshare --mount sh -c '
  set -eu
  root=$1; shift
  mount --rbind / "$root"
  mount -o remount,ro,bind "$root"
  for folder in $WRITABLE; do mount --bind "$folder" "$root$folder"; done
  exec chroot --userspec=65534:65534 "$root" node "$@"
' read-only-root "$READ_ONLY_ROOT" "$@"
