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
ALTER TABLE "agents" ADD COLUMN "model_settings" jsonb;--> statement-breakpoint
ALTER TABLE "agent_versions" ADD CONSTRAINT "agent_versions_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_changes" ADD CONSTRAINT "file_changes_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_changes" ADD CONSTRAINT "file_changes_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "file_changes_conversation_id_id_index" ON "file_changes" USING btree ("conversation_id","id");--> statement-breakpoint
CREATE INDEX "file_changes_call_id_index" ON "file_changes" USING btree ("call_id");--> statement-breakpoint
CREATE INDEX "file_changes_created_at_index" ON "file_changes" USING btree ("created_at");