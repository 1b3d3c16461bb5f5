{{/* Variables of control planes alone. */}}
{{- define "rowgraph.controlPlaneEnv" -}}
- { name: ROWGRAPH_HOST, value: 0.0.0.0 }
- { name: ROWGRAPH_INTERNAL_HOST, value: 0.0.0.0 }
- { name: ROWGRAPH_INTERNAL_URL, value: {{ include "rowgraph.internalUrl" . | quote }} }
- name: ROWGRAPH_INTERNAL_SECRET
  valueFrom: { secretKeyRef: { name: {{ required "secrets.internal.secret is required: the Secret with the key that control planes sign with" .Values.secrets.internal.secret }}, key: {{ .Values.secrets.internal.key }} } }
- name: ROWGRAPH_BOOTSTRAP_TOKEN
  valueFrom: { secretKeyRef: { name: {{ include "rowgraph.bootstrapSecret" . }}, key: {{ .Values.secrets.bootstrap.key }} } }
- { name: ROWGRAPH_DATA_DIR, value: /data }
- { name: ROWGRAPH_EMBEDDED_WORKER, value: 'off' }
- { name: ROWGRAPH_BASE_URL, value: {{ required "baseUrl is required: the address at which clients reach the API" .Values.baseUrl | quote }} }
{{- with .Values.instanceBaseUrl }}
- { name: ROWGRAPH_INSTANCE_BASE_URL, value: {{ . | quote }} }
{{- end }}
- { name: ROWGRAPH_IDENTITY_MODE, value: {{ .Values.identity.mode }} }
{{- if eq .Values.identity.mode "trusted-edge" }}
- name: ROWGRAPH_EDGE_TOKEN
  valueFrom: { secretKeyRef: { name: {{ required "identity.edgeToken.secret is required with the identity mode trusted-edge" .Values.identity.edgeToken.secret }}, key: {{ .Values.identity.edgeToken.key }} } }
{{- else if eq .Values.identity.mode "oidc" }}
{{- with .Values.identity.oidc }}
- { name: ROWGRAPH_OIDC_ISSUER, value: {{ required "identity.oidc.issuer is required with the identity mode oidc" .issuer | quote }} }
- { name: ROWGRAPH_OIDC_AUDIENCE, value: {{ required "identity.oidc.audience is required with the identity mode oidc" .audience | quote }} }
- { name: ROWGRAPH_OIDC_USERNAME_CLAIM, value: {{ .usernameClaim | quote }} }
- { name: ROWGRAPH_OIDC_PROVISION, value: {{ ternary "on" "off" .provision | quote }} }
{{- with .rolesClaim }}
- { name: ROWGRAPH_OIDC_ROLES_CLAIM, value: {{ . | quote }} }
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.database }}
- { name: ROWGRAPH_DATABASE_URL, value: {{ required "database.url is required: postgres://user@host/database, without the password" .url | quote }} }
- { name: ROWGRAPH_DATABASE_CONNECT_TIMEOUT, value: {{ .connectTimeout }} }
{{- if .password.secret }}
- { name: ROWGRAPH_DATABASE_PASSWORD_FILE, value: /etc/rowgraph/database-password/{{ .password.key }} }
{{- end }}
{{- end }}
{{- with .Values.eventStore }}
- { name: ROWGRAPH_EVENT_STORE, value: {{ .type }} }
{{- if eq .type "eventstoredb" }}
- { name: ROWGRAPH_EVENT_STORE_URL, value: {{ required "eventStore.url is required with the event store eventstoredb" .url | quote }} }
{{- with .prefix }}
- { name: ROWGRAPH_EVENT_STORE_PREFIX, value: {{ . | quote }} }
{{- end }}
{{- if .password.secret }}
- { name: ROWGRAPH_EVENT_STORE_PASSWORD_FILE, value: /etc/rowgraph/event-store-password/{{ .password.key }} }
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.queryEngine.allowedCatalogs }}
- { name: ROWGRAPH_ALLOWED_CATALOGS, value: {{ . | quote }} }
{{- end }}
- { name: ROWGRAPH_POD_RUNTIME, value: kubernetes }
- { name: ROWGRAPH_KUBERNETES_NAMESPACE, valueFrom: { fieldRef: { fieldPath: metadata.namespace } } }
- name: ROWGRAPH_POD_IMAGE
  value: graphdb_a={{ include "rowgraph.image" (list . .Values.images.podDuckdb) }},graphdb_b={{ include "rowgraph.image" (list . .Values.images.podFalkordb) }}
- { name: ROWGRAPH_POD_LOST_NODE_TIMEOUT, value: {{ .Values.pods.lostNodeTimeout }} }
- { name: ROWGRAPH_POD_PATCH_FILE, value: /etc/rowgraph/pod-patch/patch.yaml }
{{- end }}
