{{- define "rowgraph.fullname" -}}
{{- if .Values.fullnameOverride }}{{ .Values.fullnameOverride }}
{{- else if contains "rowgraph" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}{{ printf "%s-rowgraph" (.Release.Name | trunc 31 | trimSuffix "-") }}{{ end }}
{{- end }}

{{- define "rowgraph.labels" -}}
app.kubernetes.io/name: rowgraph
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: rowgraph
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* Labels by which pods of a component are selected: list of the root and the component. */}}
{{- define "rowgraph.selector" -}}
app.kubernetes.io/name: rowgraph
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{/* An image: list of the root and its name, which may have a tag or digest of its own. */}}
{{- define "rowgraph.image" -}}
{{- $root := index . 0 }}{{ $name := index . 1 }}
{{- $tag := ternary "" (printf ":%s" ($root.Values.images.tag | default $root.Chart.AppVersion)) (regexMatch "[:@]" $name) }}
{{- with $root.Values.images.registry }}{{ . }}/{{ end }}{{ $name }}{{ $tag }}
{{- end }}

{{- define "rowgraph.pullSecrets" -}}
{{- with .Values.images.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- end }}

{{- define "rowgraph.internalUrl" -}}
http://{{ include "rowgraph.fullname" . }}-internal.{{ .Release.Namespace }}:8081
{{- end }}

{{/* The Secret with the token that creates the first user. */}}
{{- define "rowgraph.bootstrapSecret" -}}
{{ .Values.secrets.bootstrap.secret | default (printf "%s-bootstrap" (include "rowgraph.fullname" .)) }}
{{- end }}

{{- define "rowgraph.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "rowgraph.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* Placement of the pods of a component: list of the root, its values and its name. */}}
{{- define "rowgraph.placement" -}}
{{- $root := index . 0 }}{{ $values := index . 1 }}
{{- with $values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
{{- with $values.topologySpreadConstraints }}
{{- toYaml . | nindent 2 }}
{{- else }}
{{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ $key }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "rowgraph.selector" (list $root (index $ 2)) | nindent 8 }}
{{- end }}
{{- end }}
{{- end }}

{{/* Variables that control planes and workers share. Files of secrets lie below /etc/rowgraph. */}}
{{- define "rowgraph.sharedEnv" -}}
- { name: HOME, value: /tmp }
- { name: TMPDIR, value: /tmp }
- { name: ROWGRAPH_LOG_LEVEL, value: {{ .Values.logLevel | quote }} }
- { name: ROWGRAPH_OBJECT_STORE, value: s3 }
{{- with .Values.s3 }}
- { name: ROWGRAPH_S3_BUCKET, value: {{ required "s3.bucket is required: the bucket of exported files" .bucket | quote }} }
- { name: ROWGRAPH_S3_CHECKSUMS, value: {{ .checksums | quote }} }
- { name: ROWGRAPH_S3_PATH_STYLE, value: {{ ternary "on" "off" .pathStyle | quote }} }
{{- range $name, $value := dict "PREFIX" .prefix "ENDPOINT" .endpoint "REGION" .region "SSE" .encryption }}
{{- with $value }}
- { name: ROWGRAPH_S3_{{ $name }}, value: {{ . | quote }} }
{{- end }}
{{- end }}
{{- with .credentials.secret }}
{{- range list "AWS_ACCESS_KEY_ID" "AWS_SECRET_ACCESS_KEY" }}
- { name: {{ . }}, valueFrom: { secretKeyRef: { name: {{ $.Values.s3.credentials.secret }}, key: {{ . }} } } }
{{- end }}
{{- end }}
{{- end }}
- { name: ROWGRAPH_QUERY_ENGINE, value: {{ .Values.queryEngine.type }} }
{{- if eq .Values.queryEngine.type "trino" }}
{{- with .Values.queryEngine.trino }}
- { name: ROWGRAPH_TRINO_URL, value: {{ required "queryEngine.trino.url is required" .url | quote }} }
- { name: ROWGRAPH_TRINO_USER, value: {{ .user | quote }} }
- { name: ROWGRAPH_TRINO_EXPORT, value: {{ .export }} }
- { name: ROWGRAPH_TRINO_EXPORT_SCHEMA, value: {{ required "queryEngine.trino.exportSchema is required: catalog.schema of the tables that exports create" .exportSchema | quote }} }
{{- range $name, $value := dict "CATALOG" .catalog "SCHEMA" .schema }}
{{- with $value }}
- { name: ROWGRAPH_TRINO_{{ $name }}, value: {{ . | quote }} }
{{- end }}
{{- end }}
{{- if .password.secret }}
- { name: ROWGRAPH_TRINO_PASSWORD_FILE, value: /etc/rowgraph/trino-password/{{ .password.key }} }
{{- end }}
{{- if .token.secret }}
- { name: ROWGRAPH_TRINO_TOKEN_FILE, value: /etc/rowgraph/trino-token/{{ .token.key }} }
{{- end }}
{{- end }}
{{- else }}
- { name: ROWGRAPH_WAREHOUSE_DIR, value: /warehouse }
{{- end }}
{{- if .Values.caBundle.configMap }}
- { name: NODE_EXTRA_CA_CERTS, value: /etc/rowgraph/ca/{{ .Values.caBundle.key }} }
{{- end }}
{{- end }}

{{/* Files that control planes and workers share, as a list of volumes with their mounts. */}}
{{- define "rowgraph.sharedFiles" -}}
{{- $trino := .Values.queryEngine.trino }}
- { name: data, mountPath: /data, source: { emptyDir: {} } }
- { name: tmp, mountPath: /tmp, source: { emptyDir: {} } }
{{- if eq .Values.queryEngine.type "duckdb" }}
- name: warehouse
  mountPath: /warehouse
  source: { persistentVolumeClaim: { claimName: {{ required "queryEngine.duckdb.existingClaim is required: the tables" .Values.queryEngine.duckdb.existingClaim }}, readOnly: true } }
{{- else }}
{{- range $name, $reference := dict "trino-password" $trino.password "trino-token" $trino.token }}
{{- if $reference.secret }}
- { name: {{ $name }}, mountPath: /etc/rowgraph/{{ $name }}, source: { secret: { secretName: {{ $reference.secret }} } } }
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.caBundle.configMap }}
- { name: ca, mountPath: /etc/rowgraph/ca, source: { configMap: { name: {{ . }} } } }
{{- end }}
{{- end }}

{{/* The mounts of a list of files. */}}
{{- define "rowgraph.mounts" -}}
{{- range . }}
- name: {{ .name }}
  mountPath: {{ .mountPath }}
{{- if not (hasKey .source "emptyDir") }}
  readOnly: true
{{- end }}
{{- end }}
{{- end }}

{{/* The volumes of a list of files. */}}
{{- define "rowgraph.volumes" -}}
{{- range . }}
- {{ merge (dict "name" .name) .source | toJson }}
{{- end }}
{{- end }}
