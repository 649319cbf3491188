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
ALTER TABLE "tool_calls" ADD COLUMN "hooks" jsonb;--> statement-breakpoint
ALTER TABLE "hook_runs" ADD CONSTRAINT "hook_runs_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hooks" ADD CONSTRAINT "hooks_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "hook_runs_workspace_id_id_index" ON "hook_runs" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "hook_runs_hook_id_id_index" ON "hook_runs" USING btree ("hook_id","id");--> statement-breakpoint
CREATE INDEX "hook_runs_call_id_index" ON "hook_runs" USING btree ("call_id");--> statement-breakpoint
CREATE INDEX "hooks_workspace_id_order_index" ON "hooks" USING btree ("workspace_id","order");