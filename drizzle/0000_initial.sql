CREATE TABLE "agent_tools" (
	"agent_id" uuid NOT NULL,
	"tool_name" text NOT NULL,
	CONSTRAINT "agent_tools_agent_id_tool_name_pk" PRIMARY KEY("agent_id","tool_name")
);
--> statement-breakpoint
CREATE TABLE "agents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"disclosure_mode" text DEFAULT 'progressive' NOT NULL,
	"shared_folder" text,
	"allowed_effects" jsonb,
	"instructions" text DEFAULT '' NOT NULL,
	"models" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"run_limits" jsonb,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "agents_workspaceId_name_unique" UNIQUE("workspace_id","name")
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"hash" text NOT NULL,
	"scopes" jsonb NOT NULL,
	"allowed_effects" jsonb,
	"trust_class" text DEFAULT 'gateway' NOT NULL,
	"agent_id" uuid,
	"created_by" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "api_keys_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "approval_votes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"approval_id" uuid NOT NULL,
	"actor" jsonb NOT NULL,
	"decision" text NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "approvals" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text DEFAULT 'call' NOT NULL,
	"workspace_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"turn_id" uuid NOT NULL,
	"call_id" uuid NOT NULL,
	"agent" text NOT NULL,
	"tool_name" text NOT NULL,
	"tool_title" text NOT NULL,
	"tool_source" text NOT NULL,
	"tool_effect" text NOT NULL,
	"primary_argument" text,
	"arguments" jsonb NOT NULL,
	"arguments_digest" text NOT NULL,
	"decision" jsonb NOT NULL,
	"rule_id" text,
	"rule_name" text,
	"summary" text DEFAULT '' NOT NULL,
	"shape" text DEFAULT '' NOT NULL,
	"risk" text DEFAULT 'info' NOT NULL,
	"search_text" text GENERATED ALWAYS AS (lower(summary || ' ' || tool_name || ' ' || tool_title || ' ' || agent || ' ' || coalesce(requested_by ->> 'name', ''))) STORED,
	"question" jsonb,
	"status" text DEFAULT 'pending' NOT NULL,
	"requested_by" jsonb NOT NULL,
	"requested_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"decided_at" timestamp (3) with time zone,
	"decided_by" jsonb,
	"comment" text DEFAULT '' NOT NULL,
	"approvers" jsonb,
	"requester_excluded" boolean DEFAULT false NOT NULL,
	"quorum_needed" integer DEFAULT 1 NOT NULL,
	"approved_by" text[] DEFAULT '{}' NOT NULL,
	"escalates_at" timestamp (3) with time zone,
	"escalated_at" timestamp (3) with time zone,
	"edited_arguments" jsonb,
	"edited_decision" jsonb,
	"drift" jsonb DEFAULT '[]'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "artifact_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"artifact_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"created_by" jsonb NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "artifact_links_tokenHash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "artifacts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"call_id" uuid NOT NULL,
	"name" text NOT NULL,
	"media_type" text NOT NULL,
	"bytes" integer NOT NULL,
	"sha256" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_backlog" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"workspace_id" uuid NOT NULL,
	"entry" jsonb NOT NULL
);
--> statement-breakpoint
-- Written by hand: the schema generator cannot express partitions, functions and triggers.
CREATE TABLE "audit_events" (
	"id" uuid NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"workspace_id" uuid NOT NULL,
	"event" text NOT NULL,
	"actor_type" text NOT NULL,
	"actor_id" text NOT NULL,
	"actor_name" text NOT NULL,
	"subject" text,
	"tool" text,
	"agent" text,
	"source" text,
	"verdict" text,
	"conversation_id" uuid,
	"turn_id" uuid,
	"call_id" uuid,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"request_id" text,
	CONSTRAINT "audit_events_at_id_pk" PRIMARY KEY("at","id")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
-- Written by hand: the default partition takes rows of a month without a partition, because an audit row is never refused.
CREATE TABLE "audit_events_default" PARTITION OF "audit_events" DEFAULT;
--> statement-breakpoint
CREATE FUNCTION "audit_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'audit events are append-only';
END $$;
--> statement-breakpoint
CREATE TRIGGER "audit_events_append_only" BEFORE UPDATE OR DELETE ON "audit_events"
	FOR EACH ROW EXECUTE FUNCTION "audit_append_only"();
--> statement-breakpoint
CREATE TABLE "browser_sessions" (
	"conversation_id" uuid PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"opened_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "conversation_notes" (
	"conversation_id" uuid NOT NULL,
	"area" text NOT NULL,
	"key" text NOT NULL,
	"value" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "conversation_notes_conversation_id_area_key_pk" PRIMARY KEY("conversation_id","area","key")
);
--> statement-breakpoint
CREATE TABLE "activations" (
	"conversation_id" uuid NOT NULL,
	"tool_name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "activations_conversation_id_tool_name_pk" PRIMARY KEY("conversation_id","tool_name")
);
--> statement-breakpoint
CREATE TABLE "conversations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"channel" text,
	"external_id" text,
	"origin" text DEFAULT 'chat' NOT NULL,
	"interactive" boolean DEFAULT true NOT NULL,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"failures" jsonb,
	"refusals" jsonb,
	"documented" jsonb,
	"has_jobs" boolean DEFAULT false NOT NULL,
	"created_by" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "conversations_workspaceId_externalId_unique" UNIQUE("workspace_id","external_id")
);
--> statement-breakpoint
CREATE TABLE "data_sources" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"description" text NOT NULL,
	"host" text NOT NULL,
	"port" integer,
	"database" text NOT NULL,
	"username" text NOT NULL,
	"ssl_mode" text NOT NULL,
	"file" text NOT NULL,
	"password_sealed" text,
	"enabled" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "data_sources_workspaceId_name_unique" UNIQUE("workspace_id","name")
);
--> statement-breakpoint
CREATE TABLE "delegates" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"url" text NOT NULL,
	"secret" text,
	"timeout_seconds" integer DEFAULT 1800 NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "grants" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"scope" text NOT NULL,
	"scope_id" text,
	"tool" text NOT NULL,
	"pin_hash" text,
	"match" jsonb NOT NULL,
	"max_severity" text NOT NULL,
	"kind" text NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"note" text DEFAULT '' NOT NULL,
	"approval_id" uuid,
	"granted_by" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"revoked_by" jsonb,
	"revoked_at" timestamp (3) with time zone,
	"uses" integer DEFAULT 0 NOT NULL,
	"last_used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "guard_config" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"default_policy" text DEFAULT 'by_effect' NOT NULL,
	"approval_timeout_seconds" integer DEFAULT 1800 NOT NULL,
	"escalate_patterns" jsonb DEFAULT '["send","transfer","swap","approve","deploy","settle","fund","mint","withdraw","stake","invoke","bridge"]'::jsonb NOT NULL,
	"grants_version" integer DEFAULT 0 NOT NULL,
	"detectors" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"denied_tools" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"sensitive_paths" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"allowed_hosts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"requester_may_decide" text DEFAULT 'not_critical' NOT NULL,
	"policy_version" integer DEFAULT 1 NOT NULL,
	"policy_file_digest" text,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "guard_rules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"tool" text NOT NULL,
	"parameter" text,
	"pattern" text,
	"exclude_pattern" text,
	"comparisons" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"context" jsonb,
	"verdict" text NOT NULL,
	"priority" integer DEFAULT 100 NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"relaxes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"approvers" jsonb,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "guard_versions" (
	"workspace_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"snapshot" jsonb NOT NULL,
	"base_version" integer,
	"rule_count" integer,
	"summary" text NOT NULL,
	"actor" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "guard_versions_workspace_id_version_pk" PRIMARY KEY("workspace_id","version")
);
--> statement-breakpoint
CREATE TABLE "hook_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"hook_id" uuid NOT NULL,
	"name" text NOT NULL,
	"event" text NOT NULL,
	"action" text NOT NULL,
	"outcome" text NOT NULL,
	"message" text,
	"duration_ms" double precision NOT NULL,
	"changes" jsonb NOT NULL,
	"data" jsonb NOT NULL,
	"agent" text NOT NULL,
	"tool" text,
	"conversation_id" uuid NOT NULL,
	"turn_id" uuid,
	"call_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "hooks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"event" text NOT NULL,
	"match" jsonb NOT NULL,
	"action" jsonb NOT NULL,
	"order" integer DEFAULT 100 NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"timeout_ms" integer NOT NULL,
	"rate_per_minute" integer NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "auth_profiles" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"origin" text NOT NULL,
	"parameter" text,
	"username" text,
	"secret_sealed" text NOT NULL,
	"allows_fetch" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "auth_profiles_workspaceId_name_unique" UNIQUE("workspace_id","name")
);
--> statement-breakpoint
CREATE TABLE "http_tools" (
	"tool_id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"api" text,
	"request" jsonb NOT NULL,
	"auth_profile_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"turn_id" uuid NOT NULL,
	"call_id" uuid NOT NULL,
	"tool_name" text NOT NULL,
	"arguments" jsonb NOT NULL,
	"sealed_arguments" text,
	"decision" jsonb NOT NULL,
	"requested_by" jsonb NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"progress" text DEFAULT '' NOT NULL,
	"content" text DEFAULT '' NOT NULL,
	"content_parts" jsonb,
	"structured_content" jsonb,
	"truncated" jsonb,
	"claimed_by" uuid,
	"cancel_requested_at" timestamp (3) with time zone,
	"promoted" boolean DEFAULT false NOT NULL,
	"delivered_turn_id" uuid,
	"duration_ms" integer,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "jobs_claimed_while_running" CHECK (("jobs"."status" = 'running') = ("jobs"."claimed_by" is not null)),
	CONSTRAINT "jobs_finished_at_the_end" CHECK (("jobs"."status" in ('pending', 'running')) = ("jobs"."finished_at" is null))
);
--> statement-breakpoint
CREATE TABLE "mcp_authorizations" (
	"server_id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"challenge" jsonb,
	"client_sealed" text,
	"tokens_sealed" text,
	"renew_at" timestamp (3) with time zone,
	"generation" integer DEFAULT 0 NOT NULL,
	"state_hash" text,
	"request_sealed" text,
	"request_expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mcp_authorizations_stateHash_unique" UNIQUE("state_hash")
);
--> statement-breakpoint
CREATE TABLE "mcp_client_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"actor_id" text NOT NULL,
	"token_hash" text NOT NULL,
	"client_name" text NOT NULL,
	"opens_urls" boolean DEFAULT false NOT NULL,
	"listed_hash" text,
	"last_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mcp_client_sign_ins" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"client_hash" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"code_challenge" text NOT NULL,
	"generation" integer DEFAULT 0 NOT NULL,
	"rotated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mcp_pending_calls" (
	"turn_id" uuid PRIMARY KEY NOT NULL,
	"conversation_id" uuid NOT NULL,
	"call_digest" text NOT NULL,
	"approval_id" uuid,
	"delivered_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mcp_servers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"alias" text NOT NULL,
	"transport" text NOT NULL,
	"command" text,
	"args_sealed" text,
	"args" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"env_sealed" text,
	"cwd" text,
	"network" text DEFAULT 'open' NOT NULL,
	"allowed_hosts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"url_sealed" text,
	"url" text,
	"headers_sealed" text,
	"enabled" boolean DEFAULT true NOT NULL,
	"disclosure_tier" text DEFAULT 'extension' NOT NULL,
	"tier_per_tool" boolean DEFAULT false NOT NULL,
	"allowed_tools" jsonb,
	"trust_hints" boolean DEFAULT false NOT NULL,
	"expected_tools" jsonb,
	"expected_version" text,
	"package_digest" text,
	"connect_timeout_seconds" integer DEFAULT 90 NOT NULL,
	"call_timeout_seconds" integer DEFAULT 60 NOT NULL,
	"session_scope" text DEFAULT 'shared' NOT NULL,
	"session_idle_seconds" integer DEFAULT 600 NOT NULL,
	"status" text DEFAULT 'connecting' NOT NULL,
	"authorization" jsonb,
	"last_error" text,
	"last_stderr" text,
	"last_connected_at" timestamp (3) with time zone,
	"server_info" jsonb,
	"instructions" text,
	"instructions_change_id" uuid,
	"tool_notes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mcp_servers_workspaceId_alias_unique" UNIQUE("workspace_id","alias")
);
--> statement-breakpoint
CREATE TABLE "mcp_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"mcp_server_id" uuid NOT NULL,
	"scope_key" text NOT NULL,
	"conversation_id" uuid,
	"owner" text NOT NULL,
	"opened_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mcp_sessions_mcpServerId_scopeKey_unique" UNIQUE("mcp_server_id","scope_key")
);
--> statement-breakpoint
CREATE TABLE "resource_links" (
	"conversation_id" uuid NOT NULL,
	"mcp_server_id" uuid NOT NULL,
	"uri_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "resource_links_conversation_id_mcp_server_id_uri_hash_pk" PRIMARY KEY("conversation_id","mcp_server_id","uri_hash")
);
--> statement-breakpoint
CREATE TABLE "model_providers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"base_url" text NOT NULL,
	"key_sealed" text,
	"enabled" boolean DEFAULT true NOT NULL,
	"models" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"position" integer NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "model_providers_workspaceId_name_unique" UNIQUE("workspace_id","name")
);
--> statement-breakpoint
CREATE TABLE "replica_messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"addressee" uuid NOT NULL,
	"topic" text NOT NULL,
	"body_sealed" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "replicas" (
	"boot_id" uuid PRIMARY KEY NOT NULL,
	"role" text NOT NULL,
	"host" text NOT NULL,
	"pid" integer NOT NULL,
	"version" text NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"ending" text,
	CONSTRAINT "replicas_ended_somehow" CHECK (("replicas"."ended_at" is null) = ("replicas"."ending" is null))
);
--> statement-breakpoint
CREATE TABLE "result_settings" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"max_chars_per_result" integer DEFAULT 8000 NOT NULL,
	"max_chars_per_turn" integer DEFAULT 32000 NOT NULL,
	"mask_secrets" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "run_messages" (
	"run_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"role" text NOT NULL,
	"content" jsonb NOT NULL,
	"sealed_content" text,
	"model" jsonb,
	"usage" jsonb,
	"turn_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "run_messages_run_id_position_pk" PRIMARY KEY("run_id","position")
);
--> statement-breakpoint
CREATE TABLE "runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"status" text NOT NULL,
	"idempotency_key" text,
	"request_digest" text NOT NULL,
	"requested_by" jsonb NOT NULL,
	"models" jsonb NOT NULL,
	"limits" jsonb NOT NULL,
	"answer" text,
	"error" text,
	"limit" text,
	"steps" integer DEFAULT 0 NOT NULL,
	"input_tokens" bigint DEFAULT 0 NOT NULL,
	"cached_input_tokens" bigint DEFAULT 0 NOT NULL,
	"output_tokens" bigint DEFAULT 0 NOT NULL,
	"cost_usd" double precision DEFAULT 0 NOT NULL,
	"is_cost_known" boolean DEFAULT true NOT NULL,
	"message_count" integer DEFAULT 0 NOT NULL,
	"turn_id" uuid,
	"claimed_by" uuid,
	"version" integer DEFAULT 0 NOT NULL,
	"cancel_requested_at" timestamp (3) with time zone,
	"deadline_at" timestamp (3) with time zone NOT NULL,
	"waiting_since" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "runs_claimed_while_running" CHECK (("runs"."status" = 'running') = ("runs"."claimed_by" is not null)),
	CONSTRAINT "runs_waiting_since" CHECK (("runs"."status" = 'waiting') = ("runs"."waiting_since" is not null)),
	CONSTRAINT "runs_finished_at_the_end" CHECK (("runs"."status" in ('queued', 'running', 'waiting')) = ("runs"."finished_at" is null))
);
--> statement-breakpoint
CREATE TABLE "schedule_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"schedule_id" uuid NOT NULL,
	"status" text NOT NULL,
	"trigger" text NOT NULL,
	"action" text NOT NULL,
	"text" text NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"conversation_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "schedules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"conversation_id" uuid,
	"name" text NOT NULL,
	"action" text NOT NULL,
	"text" text NOT NULL,
	"timing" jsonb NOT NULL,
	"timezone" text NOT NULL,
	"missed" text NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"next_run_at" timestamp (3) with time zone,
	"last_run_at" timestamp (3) with time zone,
	"last_status" text,
	"created_by" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "schedules_agentId_name_unique" UNIQUE("agent_id","name"),
	CONSTRAINT "schedules_due_while_enabled" CHECK ("schedules"."enabled" = ("schedules"."next_run_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "search_settings" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"fallback" boolean DEFAULT true NOT NULL,
	"providers" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "processes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"conversation_id" uuid NOT NULL,
	"name" text NOT NULL,
	"command" text NOT NULL,
	"folder" text NOT NULL,
	"pty" boolean DEFAULT false NOT NULL,
	"status" text DEFAULT 'running' NOT NULL,
	"exit_code" integer,
	"owner" text NOT NULL,
	"kill_requested_at" timestamp (3) with time zone,
	"log" text DEFAULT '' NOT NULL,
	"printed_bytes" bigint DEFAULT 0 NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "processes_conversationId_name_unique" UNIQUE("conversation_id","name"),
	CONSTRAINT "processes_finished_at_the_end" CHECK (("processes"."status" = 'running') = ("processes"."finished_at" is null))
);
--> statement-breakpoint
CREATE TABLE "shell_sessions" (
	"conversation_id" uuid PRIMARY KEY NOT NULL,
	"folder" text NOT NULL,
	"sealed_environment" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shell_settings" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"code_languages" text[] DEFAULT '{"shell"}' NOT NULL,
	"command_prefix" text DEFAULT '' NOT NULL,
	"sealed_variables" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tool_changes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"mcp_server_id" uuid NOT NULL,
	"tool_name" text NOT NULL,
	"kind" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"before" jsonb,
	"after" jsonb NOT NULL,
	"renamed_from" text,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"decided_at" timestamp (3) with time zone,
	"decided_by" jsonb,
	"comment" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "absent_tool_settings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"mcp_server_id" uuid NOT NULL,
	"name" text NOT NULL,
	"settings" jsonb NOT NULL,
	"pin" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "absent_tool_settings_workspaceId_mcpServerId_name_unique" UNIQUE("workspace_id","mcp_server_id","name")
);
--> statement-breakpoint
CREATE TABLE "tools" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"source" text NOT NULL,
	"mcp_server_id" uuid,
	"raw_name" text NOT NULL,
	"family" text NOT NULL,
	"effect" text NOT NULL,
	"mode" text DEFAULT 'direct' NOT NULL,
	"concurrency_safe" boolean NOT NULL,
	"idempotent" boolean DEFAULT false NOT NULL,
	"backgroundable" boolean DEFAULT false NOT NULL,
	"dangerous" boolean DEFAULT false NOT NULL,
	"needs" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"aliases" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"primary_argument" text,
	"input_schema" jsonb NOT NULL,
	"schema_hash" text NOT NULL,
	"default_tier" text NOT NULL,
	"default_timeout_ms" integer NOT NULL,
	"availability" text DEFAULT 'available' NOT NULL,
	"availability_reason" text,
	"pin_hash" text,
	"content_hash" text,
	"annotations" jsonb,
	"findings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"quarantine" text,
	"change_id" uuid,
	"enabled" boolean DEFAULT true NOT NULL,
	"disclosure_tier" text,
	"timeout_ms" integer,
	"result_limit" integer,
	"description_override" text,
	"effect_override" text,
	"return_direct" boolean DEFAULT false NOT NULL,
	"surface_override" text,
	"required_trust" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tools_workspaceId_name_unique" UNIQUE("workspace_id","name")
);
--> statement-breakpoint
CREATE TABLE "tool_calls" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"turn_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"runtime_id" text NOT NULL,
	"requested_name" text NOT NULL,
	"carried_by" text,
	"name" text NOT NULL,
	"arguments" jsonb NOT NULL,
	"raw_arguments" text,
	"sealed_arguments" text,
	"status" text DEFAULT 'pending' NOT NULL,
	"is_error" boolean DEFAULT false NOT NULL,
	"content" text DEFAULT '' NOT NULL,
	"content_parts" jsonb,
	"structured_content" jsonb,
	"truncated" jsonb,
	"direct_content" text,
	"decision" jsonb,
	"hooks" jsonb,
	"approval_id" uuid,
	"job_id" uuid,
	"started_by" uuid,
	"duration_ms" integer,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tool_calls_started_by_somebody" CHECK ("tool_calls"."status" <> 'running' or ("tool_calls"."started_by" is not null and "tool_calls"."started_at" is not null)),
	CONSTRAINT "tool_calls_asked_about" CHECK ("tool_calls"."status" <> 'awaiting_approval' or "tool_calls"."approval_id" is not null),
	CONSTRAINT "tool_calls_finished_at_the_end" CHECK (("tool_calls"."status" in ('pending', 'awaiting_approval', 'running')) = ("tool_calls"."finished_at" is null))
);
--> statement-breakpoint
CREATE TABLE "turn_events" (
	"seq" integer NOT NULL,
	"turn_id" uuid NOT NULL,
	"event" text NOT NULL,
	"data" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "turn_events_turn_id_seq_pk" PRIMARY KEY("turn_id","seq")
);
--> statement-breakpoint
CREATE TABLE "turns" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"status" text DEFAULT 'running' NOT NULL,
	"idempotency_key" text,
	"request_digest" text NOT NULL,
	"requested_by" jsonb NOT NULL,
	"claimed_by" uuid,
	"cancel_requested_at" timestamp (3) with time zone,
	"version" integer DEFAULT 0 NOT NULL,
	"answered_at" timestamp (3) with time zone,
	"callback_url" text,
	"event_count" integer DEFAULT 0 NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "turns_claimed_while_running" CHECK (("turns"."status" = 'running') = ("turns"."claimed_by" is not null)),
	CONSTRAINT "turns_finished_at_the_end" CHECK (("turns"."status" in ('completed', 'cancelled')) = ("turns"."finished_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "memberships_workspace_id_user_id_pk" PRIMARY KEY("workspace_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"method" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"password_hash" text,
	"last_sign_in_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"webhook_id" uuid,
	"turn_id" uuid,
	"event" text NOT NULL,
	"url" text NOT NULL,
	"payload" jsonb NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"last_status" integer,
	"last_error" text,
	"last_attempt_at" timestamp (3) with time zone,
	"delivered_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"events" jsonb NOT NULL,
	"secret" text NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhooks_workspaceId_name_unique" UNIQUE("workspace_id","name")
);
--> statement-breakpoint
CREATE TABLE "workspaces" (
	"id" uuid PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"config_version" bigint DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workspaces_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
ALTER TABLE "agent_tools" ADD CONSTRAINT "agent_tools_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agents" ADD CONSTRAINT "agents_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval_votes" ADD CONSTRAINT "approval_votes_approval_id_approvals_id_fk" FOREIGN KEY ("approval_id") REFERENCES "public"."approvals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_turn_id_turns_id_fk" FOREIGN KEY ("turn_id") REFERENCES "public"."turns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_call_id_tool_calls_id_fk" FOREIGN KEY ("call_id") REFERENCES "public"."tool_calls"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "artifact_links" ADD CONSTRAINT "artifact_links_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "artifact_links" ADD CONSTRAINT "artifact_links_artifact_id_artifacts_id_fk" FOREIGN KEY ("artifact_id") REFERENCES "public"."artifacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "artifacts" ADD CONSTRAINT "artifacts_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "artifacts" ADD CONSTRAINT "artifacts_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "browser_sessions" ADD CONSTRAINT "browser_sessions_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_notes" ADD CONSTRAINT "conversation_notes_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activations" ADD CONSTRAINT "activations_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "data_sources" ADD CONSTRAINT "data_sources_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delegates" ADD CONSTRAINT "delegates_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guard_config" ADD CONSTRAINT "guard_config_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guard_rules" ADD CONSTRAINT "guard_rules_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guard_versions" ADD CONSTRAINT "guard_versions_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hook_runs" ADD CONSTRAINT "hook_runs_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hooks" ADD CONSTRAINT "hooks_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auth_profiles" ADD CONSTRAINT "auth_profiles_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "http_tools" ADD CONSTRAINT "http_tools_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "http_tools" ADD CONSTRAINT "http_tools_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "http_tools" ADD CONSTRAINT "http_tools_auth_profile_id_auth_profiles_id_fk" FOREIGN KEY ("auth_profile_id") REFERENCES "public"."auth_profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_turn_id_turns_id_fk" FOREIGN KEY ("turn_id") REFERENCES "public"."turns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_call_id_tool_calls_id_fk" FOREIGN KEY ("call_id") REFERENCES "public"."tool_calls"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mcp_authorizations" ADD CONSTRAINT "mcp_authorizations_server_id_mcp_servers_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."mcp_servers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mcp_authorizations" ADD CONSTRAINT "mcp_authorizations_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mcp_client_sessions" ADD CONSTRAINT "mcp_client_sessions_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mcp_client_sign_ins" ADD CONSTRAINT "mcp_client_sign_ins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mcp_client_sign_ins" ADD CONSTRAINT "mcp_client_sign_ins_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mcp_pending_calls" ADD CONSTRAINT "mcp_pending_calls_turn_id_turns_id_fk" FOREIGN KEY ("turn_id") REFERENCES "public"."turns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mcp_pending_calls" ADD CONSTRAINT "mcp_pending_calls_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mcp_servers" ADD CONSTRAINT "mcp_servers_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mcp_sessions" ADD CONSTRAINT "mcp_sessions_mcp_server_id_mcp_servers_id_fk" FOREIGN KEY ("mcp_server_id") REFERENCES "public"."mcp_servers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mcp_sessions" ADD CONSTRAINT "mcp_sessions_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_links" ADD CONSTRAINT "resource_links_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_links" ADD CONSTRAINT "resource_links_mcp_server_id_mcp_servers_id_fk" FOREIGN KEY ("mcp_server_id") REFERENCES "public"."mcp_servers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "model_providers" ADD CONSTRAINT "model_providers_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "result_settings" ADD CONSTRAINT "result_settings_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_messages" ADD CONSTRAINT "run_messages_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_runs" ADD CONSTRAINT "schedule_runs_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_runs" ADD CONSTRAINT "schedule_runs_schedule_id_schedules_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "public"."schedules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_runs" ADD CONSTRAINT "schedule_runs_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "search_settings" ADD CONSTRAINT "search_settings_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "processes" ADD CONSTRAINT "processes_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shell_sessions" ADD CONSTRAINT "shell_sessions_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shell_settings" ADD CONSTRAINT "shell_settings_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_changes" ADD CONSTRAINT "tool_changes_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_changes" ADD CONSTRAINT "tool_changes_mcp_server_id_mcp_servers_id_fk" FOREIGN KEY ("mcp_server_id") REFERENCES "public"."mcp_servers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "absent_tool_settings" ADD CONSTRAINT "absent_tool_settings_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "absent_tool_settings" ADD CONSTRAINT "absent_tool_settings_mcp_server_id_mcp_servers_id_fk" FOREIGN KEY ("mcp_server_id") REFERENCES "public"."mcp_servers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tools" ADD CONSTRAINT "tools_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tools" ADD CONSTRAINT "tools_mcp_server_id_mcp_servers_id_fk" FOREIGN KEY ("mcp_server_id") REFERENCES "public"."mcp_servers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_calls" ADD CONSTRAINT "tool_calls_turn_id_turns_id_fk" FOREIGN KEY ("turn_id") REFERENCES "public"."turns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "turn_events" ADD CONSTRAINT "turn_events_turn_id_turns_id_fk" FOREIGN KEY ("turn_id") REFERENCES "public"."turns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "turns" ADD CONSTRAINT "turns_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "agents_one_default" ON "agents" USING btree ("workspace_id") WHERE "agents"."is_default";--> statement-breakpoint
CREATE INDEX "api_keys_workspace_id_id_index" ON "api_keys" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "approval_votes_one_each" ON "approval_votes" USING btree ("approval_id",("actor" ->> 'id'));--> statement-breakpoint
CREATE UNIQUE INDEX "approvals_one_pending" ON "approvals" USING btree ("call_id") WHERE "approvals"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "approvals_workspace_id_status_id_index" ON "approvals" USING btree ("workspace_id","status","id");--> statement-breakpoint
CREATE INDEX "approvals_workspace_id_status_expires_at_id_index" ON "approvals" USING btree ("workspace_id","status","expires_at","id");--> statement-breakpoint
CREATE INDEX "approvals_turn_id_index" ON "approvals" USING btree ("turn_id");--> statement-breakpoint
CREATE INDEX "approvals_pending_groups" ON "approvals" USING btree ("workspace_id","rule_id","rule_name","tool_name","kind","shape","risk","expires_at") WHERE "approvals"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "approvals_next_expiry" ON "approvals" USING btree ("expires_at") WHERE "approvals"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "approvals_next_escalation" ON "approvals" USING btree ("escalates_at") WHERE "approvals"."status" = 'pending' and "approvals"."escalates_at" is not null and "approvals"."escalated_at" is null;--> statement-breakpoint
CREATE INDEX "artifact_links_artifact_id_index" ON "artifact_links" USING btree ("artifact_id");--> statement-breakpoint
CREATE INDEX "artifact_links_expires_at_index" ON "artifact_links" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "artifacts_workspace_id_id_index" ON "artifacts" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "artifacts_conversation_id_index" ON "artifacts" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "artifacts_call_id_index" ON "artifacts" USING btree ("call_id");--> statement-breakpoint
CREATE INDEX "audit_events_newest" ON "audit_events" USING btree ("workspace_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_events_by_tool" ON "audit_events" USING btree ("workspace_id","tool","at");--> statement-breakpoint
CREATE INDEX "audit_events_by_conversation" ON "audit_events" USING btree ("conversation_id","at");--> statement-breakpoint
CREATE INDEX "browser_sessions_owner_index" ON "browser_sessions" USING btree ("owner");--> statement-breakpoint
CREATE INDEX "conversations_agent_id_index" ON "conversations" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "grants_workspace_id_id_index" ON "grants" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "grants_scope_id_index" ON "grants" USING btree ("scope_id");--> statement-breakpoint
CREATE INDEX "guard_rules_workspace_id_priority_index" ON "guard_rules" USING btree ("workspace_id","priority");--> statement-breakpoint
CREATE INDEX "hook_runs_workspace_id_id_index" ON "hook_runs" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "hook_runs_hook_id_id_index" ON "hook_runs" USING btree ("hook_id","id");--> statement-breakpoint
CREATE INDEX "hook_runs_call_id_index" ON "hook_runs" USING btree ("call_id");--> statement-breakpoint
CREATE INDEX "hooks_workspace_id_order_index" ON "hooks" USING btree ("workspace_id","order");--> statement-breakpoint
CREATE INDEX "http_tools_workspace_id_index" ON "http_tools" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "http_tools_auth_profile_id_index" ON "http_tools" USING btree ("auth_profile_id");--> statement-breakpoint
CREATE INDEX "jobs_workspace_id_id_index" ON "jobs" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "jobs_conversation_id_id_index" ON "jobs" USING btree ("conversation_id","id");--> statement-breakpoint
CREATE INDEX "jobs_open" ON "jobs" USING btree ("status") WHERE "jobs"."status" in ('pending', 'running');--> statement-breakpoint
CREATE UNIQUE INDEX "mcp_client_sessions_token" ON "mcp_client_sessions" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "mcp_client_sessions_last_seen" ON "mcp_client_sessions" USING btree ("last_seen_at");--> statement-breakpoint
CREATE INDEX "mcp_client_sign_ins_api_key_id_index" ON "mcp_client_sign_ins" USING btree ("api_key_id");--> statement-breakpoint
CREATE INDEX "mcp_client_sign_ins_user_id_index" ON "mcp_client_sign_ins" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "mcp_pending_calls_open" ON "mcp_pending_calls" USING btree ("conversation_id","call_digest") WHERE "mcp_pending_calls"."delivered_at" is null;--> statement-breakpoint
CREATE INDEX "mcp_pending_calls_created" ON "mcp_pending_calls" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "mcp_sessions_owner_index" ON "mcp_sessions" USING btree ("owner");--> statement-breakpoint
CREATE INDEX "mcp_sessions_conversation_id_index" ON "mcp_sessions" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "resource_links_mcp_server_id_index" ON "resource_links" USING btree ("mcp_server_id");--> statement-breakpoint
CREATE INDEX "replica_messages_addressee_id_index" ON "replica_messages" USING btree ("addressee","id");--> statement-breakpoint
CREATE INDEX "replica_messages_created_at_index" ON "replica_messages" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "replicas_running" ON "replicas" USING btree ("started_at") WHERE "replicas"."ended_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "runs_idempotency" ON "runs" USING btree ("agent_id","idempotency_key") WHERE "runs"."idempotency_key" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "runs_one_open" ON "runs" USING btree ("conversation_id") WHERE "runs"."status" in ('queued', 'running', 'waiting');--> statement-breakpoint
CREATE INDEX "runs_conversation_id_id_index" ON "runs" USING btree ("conversation_id","id");--> statement-breakpoint
CREATE INDEX "runs_agent_id_id_index" ON "runs" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "runs_workspace_id_id_index" ON "runs" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "runs_open" ON "runs" USING btree ("status","agent_id") WHERE "runs"."status" in ('queued', 'running', 'waiting');--> statement-breakpoint
CREATE INDEX "schedule_runs_workspace_id_id_index" ON "schedule_runs" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "schedule_runs_schedule_id_id_index" ON "schedule_runs" USING btree ("schedule_id","id");--> statement-breakpoint
CREATE INDEX "schedule_runs_conversation_id_index" ON "schedule_runs" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "schedule_runs_created_at_index" ON "schedule_runs" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "schedules_workspace_id_id_index" ON "schedules" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "schedules_conversation_id_index" ON "schedules" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "schedules_due" ON "schedules" USING btree ("next_run_at") WHERE "schedules"."enabled";--> statement-breakpoint
CREATE INDEX "processes_running" ON "processes" USING btree ("owner") WHERE "processes"."status" = 'running';--> statement-breakpoint
CREATE UNIQUE INDEX "tool_changes_one_pending" ON "tool_changes" USING btree ("mcp_server_id","tool_name") WHERE "tool_changes"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "tool_changes_workspace_id_status_id_index" ON "tool_changes" USING btree ("workspace_id","status","id");--> statement-breakpoint
CREATE INDEX "tools_mcp_server_id_index" ON "tools" USING btree ("mcp_server_id");--> statement-breakpoint
CREATE UNIQUE INDEX "tool_calls_turn_id_position_index" ON "tool_calls" USING btree ("turn_id","position");--> statement-breakpoint
CREATE INDEX "tool_calls_recent" ON "tool_calls" USING btree ("workspace_id","id","status","name","duration_ms","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "turns_idempotency" ON "turns" USING btree ("conversation_id","idempotency_key") WHERE "turns"."idempotency_key" is not null;--> statement-breakpoint
CREATE INDEX "turns_conversation_id_id_index" ON "turns" USING btree ("conversation_id","id");--> statement-breakpoint
CREATE INDEX "turns_workspace_id_id_index" ON "turns" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "turns_unfinished" ON "turns" USING btree ("status","claimed_by") WHERE "turns"."status" in ('running', 'suspended');--> statement-breakpoint
CREATE INDEX "turns_answered" ON "turns" USING btree ("answered_at") WHERE "turns"."answered_at" is not null;--> statement-breakpoint
CREATE INDEX "memberships_user_id_index" ON "memberships" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_user_id_index" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_workspace_id_id_index" ON "webhook_deliveries" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_webhook_id_id_index" ON "webhook_deliveries" USING btree ("webhook_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("next_attempt_at") WHERE "webhook_deliveries"."status" = 'pending';