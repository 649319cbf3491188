CREATE TABLE "delegation_settings" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"paused" boolean DEFAULT false NOT NULL,
	"acp_agents" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "delegates" ALTER COLUMN "url" DROP NOT NULL;--> statement-breakpoint
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
ALTER TABLE "runs" ADD COLUMN "depth" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "awaited_by" uuid;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "credited_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "delegation_settings" ADD CONSTRAINT "delegation_settings_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_parent_conversation_id_conversations_id_fk" FOREIGN KEY ("parent_conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delegates" ADD CONSTRAINT "delegates_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conversations_children" ON "conversations" USING btree ("parent_conversation_id") WHERE "conversations"."parent_conversation_id" is not null;--> statement-breakpoint
CREATE INDEX "runs_awaited" ON "runs" USING btree ("awaited_by") WHERE "runs"."awaited_by" is not null;