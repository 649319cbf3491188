CREATE TABLE "memory_entries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"scope" text NOT NULL,
	"owner_key" text DEFAULT '' NOT NULL,
	"type" text NOT NULL,
	"key" text NOT NULL,
	"content" text NOT NULL,
	"author" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "memory_entries_agentId_scope_ownerKey_type_key_unique" UNIQUE("agent_id","scope","owner_key","type","key")
);
--> statement-breakpoint
CREATE TABLE "memory_file_versions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"file_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"content" text NOT NULL,
	"author" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "memory_file_versions_fileId_version_unique" UNIQUE("file_id","version")
);
--> statement-breakpoint
CREATE TABLE "memory_files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"scope" text NOT NULL,
	"owner_key" text DEFAULT '' NOT NULL,
	"filename" text NOT NULL,
	"content" text NOT NULL,
	"enabled" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"words" "tsvector" NOT NULL,
	"word_count" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "memory_files_agentId_scope_ownerKey_filename_unique" UNIQUE("agent_id","scope","owner_key","filename")
);
--> statement-breakpoint
CREATE TABLE "searched_sets" (
	"workspace_id" uuid NOT NULL,
	"set" text NOT NULL,
	"rows" integer NOT NULL,
	"words" integer NOT NULL,
	CONSTRAINT "searched_sets_workspace_id_set_pk" PRIMARY KEY("workspace_id","set")
);
--> statement-breakpoint
CREATE TABLE "searched_words" (
	"workspace_id" uuid NOT NULL,
	"set" text NOT NULL,
	"word" text NOT NULL,
	"rows" integer NOT NULL,
	CONSTRAINT "searched_words_workspace_id_set_word_pk" PRIMARY KEY("workspace_id","set","word")
);
--> statement-breakpoint
ALTER TABLE "memory_entries" ADD CONSTRAINT "memory_entries_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memory_entries" ADD CONSTRAINT "memory_entries_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memory_file_versions" ADD CONSTRAINT "memory_file_versions_file_id_memory_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."memory_files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memory_files" ADD CONSTRAINT "memory_files_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memory_files" ADD CONSTRAINT "memory_files_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "searched_sets" ADD CONSTRAINT "searched_sets_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "searched_words" ADD CONSTRAINT "searched_words_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "memory_files_words_index" ON "memory_files" USING gin ("words");