CREATE TABLE "agent_versions" (
	"agent_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"settings" jsonb NOT NULL,
	"tools" jsonb NOT NULL,
	"summary" text NOT NULL,
	"actor" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "agent_versions_agent_id_version_pk" PRIMARY KEY("agent_id","version")
);
--> statement-breakpoint
CREATE TABLE "channel_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"watch_id" uuid NOT NULL,
	"message_id" uuid NOT NULL,
	"outcome" text NOT NULL,
	"reason" text,
	"conversation_id" uuid,
	"run_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "channel_messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"channel_id" uuid NOT NULL,
	"text" text NOT NULL,
	"sender" text NOT NULL,
	"sender_agent_id" uuid,
	"conversation_id" uuid,
	"depth" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "channel_watches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"channel_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"name" text NOT NULL,
	"prompt" text NOT NULL,
	"filter_sender" text,
	"enabled" boolean DEFAULT true NOT NULL,
	"last_error" text,
	"last_fired_at" timestamp (3) with time zone,
	"created_by" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "channel_watches_agentId_name_unique" UNIQUE("agent_id","name")
);
--> statement-breakpoint
CREATE TABLE "channels" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"group_agent_id" uuid,
	"created_by" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "channels_workspaceId_name_unique" UNIQUE("workspace_id","name")
);
--> statement-breakpoint
CREATE TABLE "group_nodes" (
	"agent_id" uuid PRIMARY KEY NOT NULL,
	"group_agent_id" uuid NOT NULL,
	"channel_id" uuid NOT NULL,
	"stopped" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "group_wires" (
	"from_agent_id" uuid NOT NULL,
	"channel_id" uuid NOT NULL,
	"group_agent_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "group_wires_from_agent_id_channel_id_pk" PRIMARY KEY("from_agent_id","channel_id")
);
--> statement-breakpoint
CREATE TABLE "delegation_settings" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"paused" boolean DEFAULT false NOT NULL,
	"acp_agents" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "file_changes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"conversation_id" uuid,
	"call_id" uuid,
	"actor" jsonb NOT NULL,
	"folder" text NOT NULL,
	"path" text NOT NULL,
	"before_bytes" bigint,
	"before_hash" text,
	"before_mode" integer,
	"before_blob" text,
	"after_bytes" bigint,
	"after_hash" text,
	"after_blob" text,
	"stored_bytes" integer DEFAULT 0 NOT NULL,
	"not_kept" text,
	"restores" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "media_settings" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"providers" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"analysis_model" jsonb,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "media_tasks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"call_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"provider" text NOT NULL,
	"model" text NOT NULL,
	"status" text NOT NULL,
	"handle" jsonb,
	"error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "media_tasks_callId_unique" UNIQUE("call_id")
);
--> statement-breakpoint
CREATE TABLE "native_tool_options" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"options" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contacts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"reachable_ids" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contacts_workspaceId_name_unique" UNIQUE("workspace_id","name")
);
--> statement-breakpoint
CREATE TABLE "recurring_todos" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"content" text NOT NULL,
	"people" jsonb NOT NULL,
	"chat_id" text,
	"repeat_unit" text NOT NULL,
	"repeat_every" integer NOT NULL,
	"timezone" text NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	"created_by" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "todo_items" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"content" text NOT NULL,
	"people" jsonb NOT NULL,
	"chat_id" text,
	"conversation_id" uuid,
	"recurring_id" uuid,
	"created_by" jsonb NOT NULL,
	"done_by" jsonb,
	"done_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workflow_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"status" text DEFAULT 'running' NOT NULL,
	"plan" jsonb NOT NULL,
	"input" text NOT NULL,
	"idempotency_key" text,
	"depth" integer NOT NULL,
	"requested_by" jsonb NOT NULL,
	"cancelled_by" jsonb,
	"answer" text,
	"error" text,
	"finished_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workflow_steps" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workflow_run_id" uuid NOT NULL,
	"round" integer NOT NULL,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"prompt" text NOT NULL,
	"status" text DEFAULT 'running' NOT NULL,
	"conversation_id" uuid,
	"run_id" uuid,
	"answer" text,
	"error" text,
	"finished_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workflows" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"plan" jsonb NOT NULL,
	"created_by" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workflows_workspaceId_name_unique" UNIQUE("workspace_id","name")
);
--> statement-breakpoint
ALTER TABLE "artifacts" ALTER COLUMN "call_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "delegates" ALTER COLUMN "url" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "privileged" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "model_settings" jsonb;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "may_be_asked" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "offered_as_tool" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "delegates" jsonb;--> statement-breakpoint
ALTER TABLE "approvals" ADD COLUMN "delegators" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "parent_conversation_id" uuid;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "parent_call_id" uuid;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "root_conversation_id" uuid;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "delegators" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "allowed_tools" jsonb;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "folder_of" uuid;--> statement-breakpoint
ALTER TABLE "delegates" ADD COLUMN "agent_id" uuid;--> statement-breakpoint
ALTER TABLE "mcp_servers" ADD COLUMN "allow_sampling" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "mcp_servers" ADD COLUMN "offer_contents" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "superseded_by" uuid;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "depth" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "awaited_by" uuid;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "credited_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "schedule_runs" ADD COLUMN "run_id" uuid;--> statement-breakpoint
ALTER TABLE "schedule_runs" ADD COLUMN "error" text;--> statement-breakpoint
ALTER TABLE "schedules" ADD COLUMN "paused_reason" text;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "schema_dialect" text;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "output_schema" jsonb;--> statement-breakpoint
ALTER TABLE "tool_calls" ADD COLUMN "waits_for" text;--> statement-breakpoint
ALTER TABLE "agent_versions" ADD CONSTRAINT "agent_versions_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_deliveries" ADD CONSTRAINT "channel_deliveries_watch_id_channel_watches_id_fk" FOREIGN KEY ("watch_id") REFERENCES "public"."channel_watches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_deliveries" ADD CONSTRAINT "channel_deliveries_message_id_channel_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."channel_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_deliveries" ADD CONSTRAINT "channel_deliveries_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_deliveries" ADD CONSTRAINT "channel_deliveries_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_messages" ADD CONSTRAINT "channel_messages_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_messages" ADD CONSTRAINT "channel_messages_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_messages" ADD CONSTRAINT "channel_messages_sender_agent_id_agents_id_fk" FOREIGN KEY ("sender_agent_id") REFERENCES "public"."agents"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_messages" ADD CONSTRAINT "channel_messages_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_watches" ADD CONSTRAINT "channel_watches_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_watches" ADD CONSTRAINT "channel_watches_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_watches" ADD CONSTRAINT "channel_watches_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channels" ADD CONSTRAINT "channels_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channels" ADD CONSTRAINT "channels_group_agent_id_agents_id_fk" FOREIGN KEY ("group_agent_id") REFERENCES "public"."agents"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_nodes" ADD CONSTRAINT "group_nodes_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_nodes" ADD CONSTRAINT "group_nodes_group_agent_id_agents_id_fk" FOREIGN KEY ("group_agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_nodes" ADD CONSTRAINT "group_nodes_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_wires" ADD CONSTRAINT "group_wires_from_agent_id_agents_id_fk" FOREIGN KEY ("from_agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_wires" ADD CONSTRAINT "group_wires_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_wires" ADD CONSTRAINT "group_wires_group_agent_id_agents_id_fk" FOREIGN KEY ("group_agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delegation_settings" ADD CONSTRAINT "delegation_settings_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_changes" ADD CONSTRAINT "file_changes_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_changes" ADD CONSTRAINT "file_changes_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media_settings" ADD CONSTRAINT "media_settings_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media_tasks" ADD CONSTRAINT "media_tasks_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "native_tool_options" ADD CONSTRAINT "native_tool_options_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recurring_todos" ADD CONSTRAINT "recurring_todos_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "todo_items" ADD CONSTRAINT "todo_items_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "todo_items" ADD CONSTRAINT "todo_items_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "todo_items" ADD CONSTRAINT "todo_items_recurring_id_recurring_todos_id_fk" FOREIGN KEY ("recurring_id") REFERENCES "public"."recurring_todos"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD CONSTRAINT "workflow_runs_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD CONSTRAINT "workflow_runs_workflow_id_workflows_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_steps" ADD CONSTRAINT "workflow_steps_workflow_run_id_workflow_runs_id_fk" FOREIGN KEY ("workflow_run_id") REFERENCES "public"."workflow_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_steps" ADD CONSTRAINT "workflow_steps_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_steps" ADD CONSTRAINT "workflow_steps_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflows" ADD CONSTRAINT "workflows_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "channel_deliveries_watch_id_message_id_index" ON "channel_deliveries" USING btree ("watch_id","message_id");--> statement-breakpoint
CREATE INDEX "channel_deliveries_message_id_index" ON "channel_deliveries" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "channel_deliveries_conversation_id_index" ON "channel_deliveries" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "channel_deliveries_run_id_index" ON "channel_deliveries" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "channel_messages_channel_id_id_index" ON "channel_messages" USING btree ("channel_id","id");--> statement-breakpoint
CREATE INDEX "channel_messages_workspace_id_index" ON "channel_messages" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "channel_messages_sender_agent_id_index" ON "channel_messages" USING btree ("sender_agent_id");--> statement-breakpoint
CREATE INDEX "channel_messages_conversation_id_index" ON "channel_messages" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "channel_messages_created_at_index" ON "channel_messages" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "channel_watches_channel_id_index" ON "channel_watches" USING btree ("channel_id");--> statement-breakpoint
CREATE INDEX "channel_watches_workspace_id_id_index" ON "channel_watches" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "channels_group_agent_id_index" ON "channels" USING btree ("group_agent_id");--> statement-breakpoint
CREATE INDEX "group_nodes_group_agent_id_index" ON "group_nodes" USING btree ("group_agent_id");--> statement-breakpoint
CREATE INDEX "group_nodes_channel_id_index" ON "group_nodes" USING btree ("channel_id");--> statement-breakpoint
CREATE INDEX "group_wires_channel_id_index" ON "group_wires" USING btree ("channel_id");--> statement-breakpoint
CREATE INDEX "group_wires_group_agent_id_index" ON "group_wires" USING btree ("group_agent_id");--> statement-breakpoint
CREATE INDEX "file_changes_conversation_id_id_index" ON "file_changes" USING btree ("conversation_id","id");--> statement-breakpoint
CREATE INDEX "file_changes_call_id_index" ON "file_changes" USING btree ("call_id");--> statement-breakpoint
CREATE INDEX "file_changes_created_at_index" ON "file_changes" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "media_tasks_conversation_id_id_index" ON "media_tasks" USING btree ("conversation_id","id");--> statement-breakpoint
CREATE INDEX "recurring_todos_workspace_id_id_index" ON "recurring_todos" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "recurring_todos_next_at_index" ON "recurring_todos" USING btree ("next_at");--> statement-breakpoint
CREATE INDEX "todo_items_workspace_id_status_id_index" ON "todo_items" USING btree ("workspace_id","status","id");--> statement-breakpoint
CREATE INDEX "todo_items_recurring_id_index" ON "todo_items" USING btree ("recurring_id");--> statement-breakpoint
CREATE INDEX "todo_items_conversation_id_index" ON "todo_items" USING btree ("conversation_id");--> statement-breakpoint
CREATE UNIQUE INDEX "workflow_runs_workflow_id_idempotency_key_index" ON "workflow_runs" USING btree ("workflow_id","idempotency_key");--> statement-breakpoint
CREATE INDEX "workflow_runs_workflow_id_id_index" ON "workflow_runs" USING btree ("workflow_id","id");--> statement-breakpoint
CREATE INDEX "workflow_runs_workspace_id_index" ON "workflow_runs" USING btree ("workspace_id");--> statement-breakpoint
CREATE UNIQUE INDEX "workflow_steps_workflow_run_id_round_position_index" ON "workflow_steps" USING btree ("workflow_run_id","round","position");--> statement-breakpoint
CREATE INDEX "workflow_steps_conversation_id_index" ON "workflow_steps" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "workflow_steps_run_id_index" ON "workflow_steps" USING btree ("run_id");--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_parent_conversation_id_conversations_id_fk" FOREIGN KEY ("parent_conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delegates" ADD CONSTRAINT "delegates_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_runs" ADD CONSTRAINT "schedule_runs_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conversations_children" ON "conversations" USING btree ("parent_conversation_id") WHERE "conversations"."parent_conversation_id" is not null;--> statement-breakpoint
CREATE INDEX "runs_awaited" ON "runs" USING btree ("awaited_by") WHERE "runs"."awaited_by" is not null;--> statement-breakpoint
CREATE INDEX "schedule_runs_run_id_index" ON "schedule_runs" USING btree ("run_id");