CREATE TABLE "knowledge_embeddings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"base_id" uuid NOT NULL,
	"chunk_id" uuid,
	"page_id" uuid,
	"model" text NOT NULL,
	"signs" bit varying NOT NULL,
	"vector" real[] NOT NULL,
	CONSTRAINT "knowledge_embeddings_chunkId_unique" UNIQUE("chunk_id"),
	CONSTRAINT "knowledge_embeddings_pageId_unique" UNIQUE("page_id")
);
--> statement-breakpoint
ALTER TABLE "knowledge_bases" ADD COLUMN "embedding_model" jsonb;--> statement-breakpoint
ALTER TABLE "knowledge_bases" ADD COLUMN "embedding_fault" text;--> statement-breakpoint
ALTER TABLE "knowledge_bases" ADD COLUMN "embedded_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "knowledge_embeddings" ADD CONSTRAINT "knowledge_embeddings_base_id_knowledge_bases_id_fk" FOREIGN KEY ("base_id") REFERENCES "public"."knowledge_bases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_embeddings" ADD CONSTRAINT "knowledge_embeddings_chunk_id_knowledge_chunks_id_fk" FOREIGN KEY ("chunk_id") REFERENCES "public"."knowledge_chunks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_embeddings" ADD CONSTRAINT "knowledge_embeddings_page_id_knowledge_pages_id_fk" FOREIGN KEY ("page_id") REFERENCES "public"."knowledge_pages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "knowledge_embeddings_base_id_model_index" ON "knowledge_embeddings" USING btree ("base_id","model");--> statement-breakpoint
ALTER TABLE "knowledge_chunks" DROP COLUMN "embedding";