CREATE TABLE "coding_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"client" text NOT NULL,
	"version" text,
	"session" text NOT NULL,
	"agent" text,
	"folder" text NOT NULL,
	"home" text NOT NULL,
	"repository" text,
	"host" text,
	"user_name" text,
	"box" text NOT NULL,
	"key" jsonb NOT NULL,
	"bypassed" integer DEFAULT 0 NOT NULL,
	"hook_timeout" integer,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "coding_sessions_conversationId_unique" UNIQUE("conversation_id")
);
--> statement-breakpoint
ALTER TABLE "tool_calls" DROP CONSTRAINT "tool_calls_finished_at_the_end";--> statement-breakpoint
ALTER TABLE "tool_calls" ADD COLUMN "delivered_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "machine" jsonb;--> statement-breakpoint
ALTER TABLE "coding_sessions" ADD CONSTRAINT "coding_sessions_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "coding_sessions_workspace_id_last_seen_at_index" ON "coding_sessions" USING btree ("workspace_id","last_seen_at");--> statement-breakpoint
CREATE INDEX "turns_at_clients" ON "turns" USING btree ("conversation_id","request_digest") WHERE "turns"."machine" is not null;--> statement-breakpoint
ALTER TABLE "tool_calls" ADD CONSTRAINT "tool_calls_finished_at_the_end" CHECK (("tool_calls"."status" in ('pending', 'awaiting_approval', 'running', 'released')) = ("tool_calls"."finished_at" is null));