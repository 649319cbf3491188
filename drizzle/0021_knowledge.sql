CREATE TABLE "knowledge_bases" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"mode" text DEFAULT 'lazy' NOT NULL,
	"agents" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"writer_agent_id" uuid,
	"watched_folder" text,
	"folder_fault" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "knowledge_bases_workspaceId_name_unique" UNIQUE("workspace_id","name")
);
--> statement-breakpoint
CREATE TABLE "knowledge_chunks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"base_id" uuid NOT NULL,
	"source_id" uuid NOT NULL,
	"part" integer NOT NULL,
	"page" integer,
	"headings" jsonb NOT NULL,
	"text" text NOT NULL,
	"start" integer NOT NULL,
	"end" integer NOT NULL,
	"line" integer NOT NULL,
	"tokens" integer NOT NULL,
	"words" "tsvector" NOT NULL,
	"word_count" integer NOT NULL,
	"embedding" real[]
);
--> statement-breakpoint
CREATE TABLE "knowledge_citations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"page_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"source_id" uuid,
	"name" text NOT NULL,
	"part" integer,
	CONSTRAINT "knowledge_citations_pageId_number_unique" UNIQUE("page_id","number")
);
--> statement-breakpoint
CREATE TABLE "knowledge_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"base_id" uuid NOT NULL,
	"from_page_id" uuid NOT NULL,
	"slug" text NOT NULL,
	"to_page_id" uuid,
	CONSTRAINT "knowledge_links_fromPageId_slug_unique" UNIQUE("from_page_id","slug")
);
--> statement-breakpoint
CREATE TABLE "knowledge_page_versions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"page_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"title" text NOT NULL,
	"content" text NOT NULL,
	"author" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "knowledge_page_versions_pageId_version_unique" UNIQUE("page_id","version")
);
--> statement-breakpoint
CREATE TABLE "knowledge_pages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"base_id" uuid NOT NULL,
	"slug" text NOT NULL,
	"aliases" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"type" text NOT NULL,
	"layer" text DEFAULT 'fact' NOT NULL,
	"title" text NOT NULL,
	"summary" text DEFAULT '' NOT NULL,
	"content" text NOT NULL,
	"curated" boolean DEFAULT false NOT NULL,
	"is_system" boolean DEFAULT false NOT NULL,
	"archived" boolean DEFAULT false NOT NULL,
	"stale_reason" text,
	"version" integer DEFAULT 1 NOT NULL,
	"last_updated_by" jsonb NOT NULL,
	"words" "tsvector" NOT NULL,
	"word_count" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "knowledge_pages_baseId_slug_unique" UNIQUE("base_id","slug")
);
--> statement-breakpoint
CREATE TABLE "knowledge_parts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"source_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "knowledge_parts_sourceId_number_unique" UNIQUE("source_id","number")
);
--> statement-breakpoint
CREATE TABLE "knowledge_sources" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"base_id" uuid NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"origin" text,
	"media_type" text NOT NULL,
	"bytes" integer NOT NULL,
	"sha256" text NOT NULL,
	"signature" text,
	"state" text DEFAULT 'pending' NOT NULL,
	"reason" text,
	"pages_read" integer,
	"page_count" integer,
	"has_gaps" boolean DEFAULT false NOT NULL,
	"part_count" integer DEFAULT 0 NOT NULL,
	"chunk_count" integer DEFAULT 0 NOT NULL,
	"characters" integer DEFAULT 0 NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"read_at" timestamp (3) with time zone,
	"added_by" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "knowledge_sources_baseId_name_unique" UNIQUE("base_id","name")
);
--> statement-breakpoint
CREATE TABLE "knowledge_transformation_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"base_id" uuid NOT NULL,
	"transformation_id" uuid NOT NULL,
	"source_id" uuid,
	"page_id" uuid,
	"state" text DEFAULT 'queued' NOT NULL,
	"output" text,
	"data" jsonb,
	"error" text,
	"prompt" text NOT NULL,
	"started_by" jsonb NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "knowledge_transformations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"base_id" uuid NOT NULL,
	"name" text NOT NULL,
	"prompt" text NOT NULL,
	"format" text NOT NULL,
	"schema" jsonb,
	"applies_to_new" boolean DEFAULT false NOT NULL,
	"page_type" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "knowledge_transformations_baseId_name_unique" UNIQUE("base_id","name")
);
--> statement-breakpoint
ALTER TABLE "knowledge_bases" ADD CONSTRAINT "knowledge_bases_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_chunks" ADD CONSTRAINT "knowledge_chunks_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_chunks" ADD CONSTRAINT "knowledge_chunks_base_id_knowledge_bases_id_fk" FOREIGN KEY ("base_id") REFERENCES "public"."knowledge_bases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_chunks" ADD CONSTRAINT "knowledge_chunks_source_id_knowledge_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."knowledge_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_citations" ADD CONSTRAINT "knowledge_citations_page_id_knowledge_pages_id_fk" FOREIGN KEY ("page_id") REFERENCES "public"."knowledge_pages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_citations" ADD CONSTRAINT "knowledge_citations_source_id_knowledge_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."knowledge_sources"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_links" ADD CONSTRAINT "knowledge_links_base_id_knowledge_bases_id_fk" FOREIGN KEY ("base_id") REFERENCES "public"."knowledge_bases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_links" ADD CONSTRAINT "knowledge_links_from_page_id_knowledge_pages_id_fk" FOREIGN KEY ("from_page_id") REFERENCES "public"."knowledge_pages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_links" ADD CONSTRAINT "knowledge_links_to_page_id_knowledge_pages_id_fk" FOREIGN KEY ("to_page_id") REFERENCES "public"."knowledge_pages"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_page_versions" ADD CONSTRAINT "knowledge_page_versions_page_id_knowledge_pages_id_fk" FOREIGN KEY ("page_id") REFERENCES "public"."knowledge_pages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_pages" ADD CONSTRAINT "knowledge_pages_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_pages" ADD CONSTRAINT "knowledge_pages_base_id_knowledge_bases_id_fk" FOREIGN KEY ("base_id") REFERENCES "public"."knowledge_bases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_parts" ADD CONSTRAINT "knowledge_parts_source_id_knowledge_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."knowledge_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_sources" ADD CONSTRAINT "knowledge_sources_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_sources" ADD CONSTRAINT "knowledge_sources_base_id_knowledge_bases_id_fk" FOREIGN KEY ("base_id") REFERENCES "public"."knowledge_bases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_transformation_runs" ADD CONSTRAINT "knowledge_transformation_runs_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_transformation_runs" ADD CONSTRAINT "knowledge_transformation_runs_base_id_knowledge_bases_id_fk" FOREIGN KEY ("base_id") REFERENCES "public"."knowledge_bases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_transformation_runs" ADD CONSTRAINT "knowledge_transformation_runs_transformation_id_knowledge_transformations_id_fk" FOREIGN KEY ("transformation_id") REFERENCES "public"."knowledge_transformations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_transformation_runs" ADD CONSTRAINT "knowledge_transformation_runs_source_id_knowledge_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."knowledge_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_transformation_runs" ADD CONSTRAINT "knowledge_transformation_runs_page_id_knowledge_pages_id_fk" FOREIGN KEY ("page_id") REFERENCES "public"."knowledge_pages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_transformations" ADD CONSTRAINT "knowledge_transformations_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_transformations" ADD CONSTRAINT "knowledge_transformations_base_id_knowledge_bases_id_fk" FOREIGN KEY ("base_id") REFERENCES "public"."knowledge_bases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "knowledge_chunks_words_index" ON "knowledge_chunks" USING gin ("words");--> statement-breakpoint
CREATE INDEX "knowledge_chunks_source_id_index" ON "knowledge_chunks" USING btree ("source_id");--> statement-breakpoint
CREATE INDEX "knowledge_chunks_base_id_index" ON "knowledge_chunks" USING btree ("base_id");--> statement-breakpoint
CREATE INDEX "knowledge_citations_source_id_index" ON "knowledge_citations" USING btree ("source_id");--> statement-breakpoint
CREATE INDEX "knowledge_links_to_page_id_index" ON "knowledge_links" USING btree ("to_page_id");--> statement-breakpoint
CREATE INDEX "knowledge_links_base_id_slug_index" ON "knowledge_links" USING btree ("base_id","slug");--> statement-breakpoint
CREATE INDEX "knowledge_pages_words_index" ON "knowledge_pages" USING gin ("words");--> statement-breakpoint
CREATE INDEX "knowledge_pages_workspace_id_index" ON "knowledge_pages" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "knowledge_sources_workspace_id_index" ON "knowledge_sources" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "knowledge_sources_unread" ON "knowledge_sources" USING btree ("updated_at") WHERE "knowledge_sources"."state" in ('pending', 'processing');--> statement-breakpoint
CREATE INDEX "knowledge_transformation_runs_transformation_id_id_index" ON "knowledge_transformation_runs" USING btree ("transformation_id","id");--> statement-breakpoint
CREATE INDEX "knowledge_transformation_runs_source_id_index" ON "knowledge_transformation_runs" USING btree ("source_id");--> statement-breakpoint
CREATE INDEX "knowledge_transformation_runs_page_id_index" ON "knowledge_transformation_runs" USING btree ("page_id");