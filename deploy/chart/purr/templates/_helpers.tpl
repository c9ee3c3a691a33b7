{{- define "purr.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "purr.selector" -}}
app.kubernetes.io/name: purr
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "purr.labels" -}}
{{ include "purr.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "purr.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- /* The settings of all parts. A hook runs before any object of the release is there, so they stand in each pod itself. */ -}}
{{- define "purr.env" -}}
- {name: PURR_DATA, value: /data}
- {name: TMPDIR, value: /tmp}
- name: PURR_DATABASE_URL
  valueFrom: {secretKeyRef: {name: {{ .Values.database.existingSecret }}, key: {{ .Values.database.key }}}}
- name: PURR_REDIS_URL
  valueFrom: {secretKeyRef: {name: {{ .Values.redis.existingSecret }}, key: {{ .Values.redis.key }}}}
{{- with .Values.mail }}
{{- if .existingSecret }}
- name: PURR_SMTP_URL
  valueFrom: {secretKeyRef: {name: {{ .existingSecret }}, key: {{ .key }}}}
{{- end }}
{{- end }}
{{- with .Values.storage.s3 }}
{{- if .enabled }}
- {name: PURR_STORAGE_URL, value: {{ .url | quote }}}
{{- if .existingSecret }}
- name: AWS_ACCESS_KEY_ID
  valueFrom: {secretKeyRef: {name: {{ .existingSecret }}, key: {{ .accessKeyID }}}}
- name: AWS_SECRET_ACCESS_KEY
  valueFrom: {secretKeyRef: {name: {{ .existingSecret }}, key: {{ .secretAccessKey }}}}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "purr.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end -}}

{{- define "purr.mounts" -}}
- {name: data, mountPath: /data}
- {name: tmp, mountPath: /tmp}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- /* What every pod has besides its container. */ -}}
{{- define "purr.podSpec" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.serviceAccount.name }}
serviceAccountName: {{ . }}
{{- end }}
automountServiceAccountToken: {{ .Values.automountToken }}
enableServiceLinks: false # a service named purr would give variables that look like settings
securityContext:
  runAsNonRoot: true # the image names its user
  fsGroup: {{ .Values.fsGroup }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: {type: RuntimeDefault}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
volumes:
  - name: data
{{- if .Values.storage.s3.enabled }}
    emptyDir: {sizeLimit: {{ .Values.storage.scratch }}}
{{- else }}
    persistentVolumeClaim: {claimName: {{ .Values.storage.volume.existingClaim }}}
{{- end }}
  - name: tmp
    emptyDir: {sizeLimit: {{ .Values.storage.scratch }}}
{{- with .Values.extraVolumes }}
{{ toYaml . | indent 2 }}
{{- end }}
{{- end -}}

{{- /* A part that runs until it is stopped: (list . "worker"). */ -}}
{{- define "purr.part" -}}
{{- $ := index . 0 }}
{{- $part := index . 1 }}
{{- $values := index $.Values $part }}
{{- $scaled := and $values.autoscaling $values.autoscaling.enabled }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "purr.name" $ }}-{{ $part }}
  labels:
    {{- include "purr.labels" $ | nindent 4 }}
    app.kubernetes.io/component: {{ $part }}
spec:
  {{- if not $scaled }}
  replicas: {{ $values.replicas }}
  {{- end }}
  revisionHistoryLimit: 3
  strategy:
    rollingUpdate: {maxUnavailable: 0, maxSurge: 1}
  selector:
    matchLabels:
      {{- include "purr.selector" $ | nindent 6 }}
      app.kubernetes.io/component: {{ $part }}
  template:
    metadata:
      labels:
        {{- include "purr.labels" $ | nindent 8 }}
        app.kubernetes.io/component: {{ $part }}
        purr/part: "yes"
        {{- with $.Values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      annotations:
        checksum/config: {{ include (print $.Template.BasePath "/config.yaml") $ | sha256sum }}
        {{- with $.Values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      terminationGracePeriodSeconds: 35
      {{- if $.Values.topologySpread.enabled }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: {{ $.Values.topologySpread.topologyKey }}
          whenUnsatisfiable: {{ $.Values.topologySpread.whenUnsatisfiable }}
          labelSelector:
            matchLabels:
              {{- include "purr.selector" $ | nindent 14 }}
              app.kubernetes.io/component: {{ $part }}
      {{- end }}
      containers:
        - name: purr
          image: {{ include "purr.image" $ }}
          imagePullPolicy: {{ $.Values.image.pullPolicy }}
          args: [{{ $part }}]
          env:
            {{- include "purr.env" $ | nindent 12 }}
            - {name: PURR_LISTEN, value: "0.0.0.0:8080"}
            {{- with $.Values.extraEnv }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          envFrom:
            - configMapRef: {name: {{ include "purr.name" $ }}}
            {{- with $.Values.extraEnvFrom }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          ports:
            - {name: http, containerPort: 8080}
          startupProbe: {httpGet: {path: /healthz, port: http}, periodSeconds: 2, timeoutSeconds: 5, failureThreshold: 60}
          livenessProbe: {httpGet: {path: /healthz, port: http}, periodSeconds: 10, timeoutSeconds: 9, failureThreshold: 3}
          readinessProbe: {httpGet: {path: /readyz, port: http}, periodSeconds: 10, timeoutSeconds: 9, failureThreshold: 2}
          {{- if eq $part "api" }}
          lifecycle: {preStop: {sleep: {seconds: 5}}} # until no balancer sends it calls any more
          {{- end }}
          resources: {{- toYaml $values.resources | nindent 12 }}
          securityContext:
            {{- include "purr.containerSecurity" $ | nindent 12 }}
          volumeMounts:
            {{- include "purr.mounts" $ | nindent 12 }}
      {{- include "purr.podSpec" $ | nindent 6 }}
{{- if $.Values.podDisruptionBudget.enabled }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "purr.name" $ }}-{{ $part }}
  labels:
    {{- include "purr.labels" $ | nindent 4 }}
    app.kubernetes.io/component: {{ $part }}
spec:
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "purr.selector" $ | nindent 6 }}
      app.kubernetes.io/component: {{ $part }}
{{- end }}
{{- end -}}

{{- /* A container of a command that ends by itself: (list . resources arguments…). */ -}}
{{- define "purr.command" -}}
{{- $ := index . 0 }}
- name: purr
  image: {{ include "purr.image" $ }}
  imagePullPolicy: {{ $.Values.image.pullPolicy }}
  args: {{ slice . 2 | toJson }}
  env:
    {{- include "purr.env" $ | nindent 4 }}
    {{- range $name, $value := $.Values.config }}
    - {name: {{ $name }}, value: {{ $value | quote }}}
    {{- end }}
    {{- with $.Values.extraEnv }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with $.Values.extraEnvFrom }}
  envFrom: {{- toYaml . | nindent 4 }}
  {{- end }}
  resources: {{- toYaml (index . 1) | nindent 4 }}
  securityContext:
    {{- include "purr.containerSecurity" $ | nindent 4 }}
  volumeMounts:
    {{- include "purr.mounts" $ | nindent 4 }}
{{- end -}}
