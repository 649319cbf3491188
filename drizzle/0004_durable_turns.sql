CREATE TABLE "jobs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"turn_id" uuid NOT NULL,
	"call_id" uuid NOT NULL,
	"tool_name" text NOT NULL,
	"arguments" jsonb NOT NULL,
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
ALTER TABLE "turns" DROP CONSTRAINT "turns_conversationId_idempotencyKey_unique";--> statement-breakpoint
ALTER TABLE "tool_calls" DROP CONSTRAINT "tool_calls_workspace_id_workspaces_id_fk";
--> statement-breakpoint
ALTER TABLE "turns" DROP CONSTRAINT "turns_workspace_id_workspaces_id_fk";
--> statement-breakpoint
DROP INDEX "turn_events_turn_id_seq_index";--> statement-breakpoint
DROP INDEX "turns_unfinished";--> statement-breakpoint
/* 
    Unfortunately in current drizzle-kit version we can't automatically get name for primary key.
    We are working on making it available!

    Meanwhile you can:
        1. Check pk name in your database, by running
            SELECT constraint_name FROM information_schema.table_constraints
            WHERE table_schema = 'public'
                AND table_name = 'turn_events'
                AND constraint_type = 'PRIMARY KEY';
        2. Uncomment code below and paste pk name manually
        
    Hope to release this update as soon as possible
*/

-- ALTER TABLE "turn_events" DROP CONSTRAINT "<constraint_name>";--> statement-breakpoint
ALTER TABLE "turn_events" ALTER COLUMN "seq" SET DATA TYPE integer;--> statement-breakpoint
ALTER TABLE "turn_events" ADD CONSTRAINT "turn_events_turn_id_seq_pk" PRIMARY KEY("turn_id","seq");--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "failures" jsonb;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "has_jobs" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "idempotent" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "backgroundable" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "return_direct" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_calls" ADD COLUMN "direct_content" text;--> statement-breakpoint
ALTER TABLE "tool_calls" ADD COLUMN "job_id" uuid;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "callback_url" text;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "event_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_turn_id_turns_id_fk" FOREIGN KEY ("turn_id") REFERENCES "public"."turns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_call_id_tool_calls_id_fk" FOREIGN KEY ("call_id") REFERENCES "public"."tool_calls"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "jobs_workspace_id_id_index" ON "jobs" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "jobs_conversation_id_id_index" ON "jobs" USING btree ("conversation_id","id");--> statement-breakpoint
CREATE INDEX "jobs_open" ON "jobs" USING btree ("status") WHERE "jobs"."status" in ('pending', 'running');--> statement-breakpoint
CREATE INDEX "replicas_running" ON "replicas" USING btree ("started_at") WHERE "replicas"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_workspace_id_id_index" ON "webhook_deliveries" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_webhook_id_id_index" ON "webhook_deliveries" USING btree ("webhook_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("next_attempt_at") WHERE "webhook_deliveries"."status" = 'pending';--> statement-breakpoint
CREATE UNIQUE INDEX "turns_idempotency" ON "turns" USING btree ("conversation_id","idempotency_key") WHERE "turns"."idempotency_key" is not null;--> statement-breakpoint
CREATE INDEX "turns_workspace_id_id_index" ON "turns" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "turns_unfinished" ON "turns" USING btree ("status","claimed_by") WHERE "turns"."status" in ('running', 'suspended');--> statement-breakpoint
ALTER TABLE "tool_calls" ADD CONSTRAINT "tool_calls_started_by_somebody" CHECK ("tool_calls"."status" <> 'running' or ("tool_calls"."started_by" is not null and "tool_calls"."started_at" is not null));--> statement-breakpoint
ALTER TABLE "tool_calls" ADD CONSTRAINT "tool_calls_asked_about" CHECK ("tool_calls"."status" <> 'awaiting_approval' or "tool_calls"."approval_id" is not null);--> statement-breakpoint
ALTER TABLE "tool_calls" ADD CONSTRAINT "tool_calls_finished_at_the_end" CHECK (("tool_calls"."status" in ('pending', 'awaiting_approval', 'running')) = ("tool_calls"."finished_at" is null));--> statement-breakpoint
ALTER TABLE "turns" ADD CONSTRAINT "turns_claimed_while_running" CHECK (("turns"."status" = 'running') = ("turns"."claimed_by" is not null));--> statement-breakpoint
ALTER TABLE "turns" ADD CONSTRAINT "turns_finished_at_the_end" CHECK (("turns"."status" in ('completed', 'cancelled')) = ("turns"."finished_at" is not null));