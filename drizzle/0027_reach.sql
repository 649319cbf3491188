CREATE TABLE "mail_settings" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"server" text DEFAULT '' NOT NULL,
	"user" text DEFAULT '' NOT NULL,
	"password_sealed" text,
	"sender" text DEFAULT '' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_settings" (
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"messenger" boolean NOT NULL,
	"email" text NOT NULL,
	"push" boolean NOT NULL,
	"digest_minutes" integer NOT NULL,
	"quiet_hours" jsonb,
	"time_zone" text NOT NULL,
	"rules" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notification_settings_workspace_id_user_id_pk" PRIMARY KEY("workspace_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"approval_id" uuid,
	"key" text NOT NULL,
	"channel" text NOT NULL,
	"target_id" uuid,
	"target" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"claimed_by" uuid,
	"part_id" uuid,
	"error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp (3) with time zone,
	CONSTRAINT "notifications_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "push_devices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"endpoint" text NOT NULL,
	"p256dh" text NOT NULL,
	"auth" text NOT NULL,
	"device" text NOT NULL,
	"last_sent_at" timestamp (3) with time zone,
	"last_error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "push_devices_workspaceId_endpoint_unique" UNIQUE("workspace_id","endpoint")
);
--> statement-breakpoint
CREATE TABLE "push_keys" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"public_key" text NOT NULL,
	"private_key_sealed" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "push_keys_is_one_row" CHECK ("push_keys"."is_only")
);
--> statement-breakpoint
CREATE TABLE "trigger_firings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"trigger_id" uuid NOT NULL,
	"key" text NOT NULL,
	"digest" text NOT NULL,
	"text" text NOT NULL,
	"depth" integer NOT NULL,
	"outcome" text DEFAULT 'waiting' NOT NULL,
	"reason" text,
	"conversation_id" uuid,
	"run_id" uuid,
	"workflow_run_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "trigger_firings_triggerId_key_unique" UNIQUE("trigger_id","key")
);
--> statement-breakpoint
CREATE TABLE "triggers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"messenger_id" uuid,
	"words" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"of_agent_id" uuid,
	"statuses" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"of_workflow_id" uuid,
	"agent_id" uuid,
	"workflow_id" uuid,
	"template" text NOT NULL,
	"enabled" boolean NOT NULL,
	"secret_sealed" text,
	"last_fired_at" timestamp (3) with time zone,
	"last_error" text,
	"created_by" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "triggers_workspaceId_name_unique" UNIQUE("workspace_id","name")
);
--> statement-breakpoint
ALTER TABLE "approvals" ADD COLUMN "decided_from" jsonb;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD COLUMN "ordered_in" uuid;--> statement-breakpoint
ALTER TABLE "mail_settings" ADD CONSTRAINT "mail_settings_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_settings" ADD CONSTRAINT "notification_settings_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_settings" ADD CONSTRAINT "notification_settings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_approval_id_approvals_id_fk" FOREIGN KEY ("approval_id") REFERENCES "public"."approvals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_devices" ADD CONSTRAINT "push_devices_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_devices" ADD CONSTRAINT "push_devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trigger_firings" ADD CONSTRAINT "trigger_firings_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trigger_firings" ADD CONSTRAINT "trigger_firings_trigger_id_triggers_id_fk" FOREIGN KEY ("trigger_id") REFERENCES "public"."triggers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trigger_firings" ADD CONSTRAINT "trigger_firings_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trigger_firings" ADD CONSTRAINT "trigger_firings_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trigger_firings" ADD CONSTRAINT "trigger_firings_workflow_run_id_workflow_runs_id_fk" FOREIGN KEY ("workflow_run_id") REFERENCES "public"."workflow_runs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "triggers" ADD CONSTRAINT "triggers_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "triggers" ADD CONSTRAINT "triggers_messenger_id_messengers_id_fk" FOREIGN KEY ("messenger_id") REFERENCES "public"."messengers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "triggers" ADD CONSTRAINT "triggers_of_agent_id_agents_id_fk" FOREIGN KEY ("of_agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "triggers" ADD CONSTRAINT "triggers_of_workflow_id_workflows_id_fk" FOREIGN KEY ("of_workflow_id") REFERENCES "public"."workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "triggers" ADD CONSTRAINT "triggers_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "triggers" ADD CONSTRAINT "triggers_workflow_id_workflows_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notification_settings_user_id_index" ON "notification_settings" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "notifications_open" ON "notifications" USING btree ("due_at") WHERE "notifications"."status" in ('pending', 'sending');--> statement-breakpoint
CREATE INDEX "notifications_workspace_id_user_id_id_index" ON "notifications" USING btree ("workspace_id","user_id","id");--> statement-breakpoint
CREATE INDEX "notifications_workspace_id_id_index" ON "notifications" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "notifications_approval_id_index" ON "notifications" USING btree ("approval_id");--> statement-breakpoint
CREATE INDEX "notifications_user_id_index" ON "notifications" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "push_devices_user_id_index" ON "push_devices" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "trigger_firings_trigger_id_id_index" ON "trigger_firings" USING btree ("trigger_id","id");--> statement-breakpoint
CREATE INDEX "trigger_firings_workspace_id_index" ON "trigger_firings" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "trigger_firings_conversation_id_index" ON "trigger_firings" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "trigger_firings_run_id_index" ON "trigger_firings" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "trigger_firings_workflow_run_id_index" ON "trigger_firings" USING btree ("workflow_run_id");--> statement-breakpoint
CREATE INDEX "trigger_firings_open" ON "trigger_firings" USING btree ("id") WHERE "trigger_firings"."outcome" = 'waiting';--> statement-breakpoint
CREATE INDEX "triggers_messenger_id_index" ON "triggers" USING btree ("messenger_id");--> statement-breakpoint
CREATE INDEX "triggers_of_agent_id_index" ON "triggers" USING btree ("of_agent_id");--> statement-breakpoint
CREATE INDEX "triggers_of_workflow_id_index" ON "triggers" USING btree ("of_workflow_id");--> statement-breakpoint
CREATE INDEX "triggers_agent_id_index" ON "triggers" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "triggers_workflow_id_index" ON "triggers" USING btree ("workflow_id");--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD CONSTRAINT "workflow_runs_ordered_in_conversations_id_fk" FOREIGN KEY ("ordered_in") REFERENCES "public"."conversations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "workflow_runs_ordered_in_index" ON "workflow_runs" USING btree ("ordered_in");