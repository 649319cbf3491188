CREATE TABLE "memory_embeddings" (
	"workspace_id" uuid NOT NULL,
	"model" text NOT NULL,
	"digest" text NOT NULL,
	"signs" bit varying NOT NULL,
	"vector" real[] NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "memory_embeddings_workspace_id_digest_model_pk" PRIMARY KEY("workspace_id","digest","model")
);
--> statement-breakpoint
ALTER TABLE "memory_settings" ADD COLUMN "embedding_model" jsonb;--> statement-breakpoint
ALTER TABLE "memory_embeddings" ADD CONSTRAINT "memory_embeddings_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;