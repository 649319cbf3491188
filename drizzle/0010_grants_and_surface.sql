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
ALTER TABLE "agents" ADD COLUMN "allowed_effects" jsonb;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "allowed_effects" jsonb;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "trust_class" text DEFAULT 'gateway' NOT NULL;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "refusals" jsonb;--> statement-breakpoint
ALTER TABLE "guard_config" ADD COLUMN "escalate_patterns" jsonb DEFAULT '["send","transfer","swap","approve","deploy","settle","fund","mint","withdraw","stake","invoke","bridge"]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "guard_config" ADD COLUMN "grants_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "surface_override" text;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "required_trust" text;--> statement-breakpoint
ALTER TABLE "delegates" ADD CONSTRAINT "delegates_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "grants_workspace_id_id_index" ON "grants" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "grants_scope_id_index" ON "grants" USING btree ("scope_id");