#!/bin/sh
# run-in-image.sh <files of the image> <folder for /data> <user> <command>…
# The command as process 1 and as the user, on a root that is read-only but for /data. Needs `unshare -fpm` around it.
set -eu
root=$1 data=$2 user=$3
shift 3
mount --bind "$root" "$root"
mount -o remount,ro,bind "$root"
mount --bind "$data" "$root/data"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
exec chroot --userspec="$user" "$root" "$@"
