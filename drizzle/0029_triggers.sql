CREATE TABLE "trigger_firings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"trigger_id" uuid NOT NULL,
	"key" text NOT NULL,
	"messenger_id" uuid,
	"sender_id" text,
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
ALTER TABLE "trigger_firings" ADD CONSTRAINT "trigger_firings_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trigger_firings" ADD CONSTRAINT "trigger_firings_trigger_id_triggers_id_fk" FOREIGN KEY ("trigger_id") REFERENCES "public"."triggers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trigger_firings" ADD CONSTRAINT "trigger_firings_messenger_id_messengers_id_fk" FOREIGN KEY ("messenger_id") REFERENCES "public"."messengers"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trigger_firings" ADD CONSTRAINT "trigger_firings_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trigger_firings" ADD CONSTRAINT "trigger_firings_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trigger_firings" ADD CONSTRAINT "trigger_firings_workflow_run_id_workflow_runs_id_fk" FOREIGN KEY ("workflow_run_id") REFERENCES "public"."workflow_runs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "triggers" ADD CONSTRAINT "triggers_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "triggers" ADD CONSTRAINT "triggers_messenger_id_messengers_id_fk" FOREIGN KEY ("messenger_id") REFERENCES "public"."messengers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "triggers" ADD CONSTRAINT "triggers_of_agent_id_agents_id_fk" FOREIGN KEY ("of_agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "triggers" ADD CONSTRAINT "triggers_of_workflow_id_workflows_id_fk" FOREIGN KEY ("of_workflow_id") REFERENCES "public"."workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "triggers" ADD CONSTRAINT "triggers_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "triggers" ADD CONSTRAINT "triggers_workflow_id_workflows_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "trigger_firings_trigger_id_id_index" ON "trigger_firings" USING btree ("trigger_id","id");--> statement-breakpoint
CREATE INDEX "trigger_firings_workspace_id_index" ON "trigger_firings" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "trigger_firings_conversation_id_index" ON "trigger_firings" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "trigger_firings_run_id_index" ON "trigger_firings" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "trigger_firings_workflow_run_id_index" ON "trigger_firings" USING btree ("workflow_run_id");--> statement-breakpoint
CREATE INDEX "trigger_firings_messenger_id_sender_id_index" ON "trigger_firings" USING btree ("messenger_id","sender_id");--> statement-breakpoint
CREATE INDEX "trigger_firings_open" ON "trigger_firings" USING btree ("id") WHERE "trigger_firings"."outcome" = 'waiting';--> statement-breakpoint
CREATE INDEX "triggers_messenger_id_index" ON "triggers" USING btree ("messenger_id");--> statement-breakpoint
CREATE INDEX "triggers_of_agent_id_index" ON "triggers" USING btree ("of_agent_id");--> statement-breakpoint
CREATE INDEX "triggers_of_workflow_id_index" ON "triggers" USING btree ("of_workflow_id");--> statement-breakpoint
CREATE INDEX "triggers_agent_id_index" ON "triggers" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "triggers_workflow_id_index" ON "triggers" USING btree ("workflow_id");