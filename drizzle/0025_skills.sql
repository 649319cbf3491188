CREATE TABLE "agent_skills" (
	"agent_id" uuid NOT NULL,
	"skill_id" uuid NOT NULL,
	CONSTRAINT "agent_skills_agent_id_skill_id_pk" PRIMARY KEY("agent_id","skill_id")
);
--> statement-breakpoint
CREATE TABLE "conversation_skills" (
	"conversation_id" uuid NOT NULL,
	"skill_id" uuid NOT NULL,
	"is_loaded" boolean DEFAULT false NOT NULL,
	"uses" integer DEFAULT 1 NOT NULL,
	"last_used_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "conversation_skills_conversation_id_skill_id_pk" PRIMARY KEY("conversation_id","skill_id")
);
--> statement-breakpoint
CREATE TABLE "skill_contents" (
	"skill_id" uuid NOT NULL,
	"content_hash" text NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "skill_contents_skill_id_content_hash_pk" PRIMARY KEY("skill_id","content_hash")
);
--> statement-breakpoint
CREATE TABLE "skill_files" (
	"skill_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"path" text NOT NULL,
	"bytes" integer NOT NULL,
	"content_hash" text NOT NULL,
	CONSTRAINT "skill_files_skill_id_version_path_pk" PRIMARY KEY("skill_id","version","path")
);
--> statement-breakpoint
CREATE TABLE "skill_secrets" (
	"workspace_id" uuid NOT NULL,
	"skill_id" uuid NOT NULL,
	"name" text NOT NULL,
	"value_sealed" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "skill_secrets_skill_id_name_pk" PRIMARY KEY("skill_id","name")
);
--> statement-breakpoint
CREATE TABLE "skill_versions" (
	"skill_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"summary" text NOT NULL,
	"author" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "skill_versions_skill_id_version_pk" PRIMARY KEY("skill_id","version")
);
--> statement-breakpoint
CREATE TABLE "skills" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"source" text NOT NULL,
	"source_note" text DEFAULT '' NOT NULL,
	"text" text NOT NULL,
	"findings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"findings_accepted" boolean DEFAULT false NOT NULL,
	"file_count" integer NOT NULL,
	"byte_count" integer NOT NULL,
	"script_kinds" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"review" text DEFAULT 'approved' NOT NULL,
	"hosts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"lessons" text DEFAULT '' NOT NULL,
	"is_pinned" boolean DEFAULT false NOT NULL,
	"life" text DEFAULT 'active' NOT NULL,
	"uses" integer DEFAULT 0 NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"content_version" integer DEFAULT 1 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "skills_workspaceId_name_unique" UNIQUE("workspace_id","name")
);
--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "tools_disabled" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "skills_disabled" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "agent_skills" ADD CONSTRAINT "agent_skills_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_skills" ADD CONSTRAINT "agent_skills_skill_id_skills_id_fk" FOREIGN KEY ("skill_id") REFERENCES "public"."skills"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_skills" ADD CONSTRAINT "conversation_skills_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_skills" ADD CONSTRAINT "conversation_skills_skill_id_skills_id_fk" FOREIGN KEY ("skill_id") REFERENCES "public"."skills"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "skill_contents" ADD CONSTRAINT "skill_contents_skill_id_skills_id_fk" FOREIGN KEY ("skill_id") REFERENCES "public"."skills"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "skill_files" ADD CONSTRAINT "skill_files_skill_id_version_skill_versions_skill_id_version_fk" FOREIGN KEY ("skill_id","version") REFERENCES "public"."skill_versions"("skill_id","version") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "skill_secrets" ADD CONSTRAINT "skill_secrets_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "skill_secrets" ADD CONSTRAINT "skill_secrets_skill_id_skills_id_fk" FOREIGN KEY ("skill_id") REFERENCES "public"."skills"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "skill_versions" ADD CONSTRAINT "skill_versions_skill_id_skills_id_fk" FOREIGN KEY ("skill_id") REFERENCES "public"."skills"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "skills" ADD CONSTRAINT "skills_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_skills_skill_id_index" ON "agent_skills" USING btree ("skill_id");--> statement-breakpoint
CREATE INDEX "conversation_skills_skill_id_last_used_at_index" ON "conversation_skills" USING btree ("skill_id","last_used_at");--> statement-breakpoint
CREATE INDEX "skill_secrets_workspace_id_index" ON "skill_secrets" USING btree ("workspace_id");