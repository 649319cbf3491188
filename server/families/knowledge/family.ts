import { handled } from "@/server/jobs/run-queue";
import { defineFamily } from "../define-family";
import { embedBase, embeddingQueue, findLostEmbeddings } from "./embeddings/embed-base";
import { knowledgeAnswers } from "./endpoints";
import { knowledgeForgetting } from "./forget-person";
import { knowledge } from "./knowledge-capability";
import { enrichPage } from "./pages/enrich-page";
import { knowledgeShare, writeKnowledgeSection } from "./prompt-section";
import { findLostReading, readSource } from "./sources/read-source";
import { sourceQueue } from "./sources/source-queue";
import { lookAtFolders } from "./sources/watched-folder";
import {
  wikiExplainRelation,
  wikiListKbs,
  wikiListPages,
  wikiReadMany,
  wikiReadPage,
  wikiRelatedPages,
  wikiStalePages,
  wikiTraceSource,
} from "./tools/read-tools";
import { wikiSearchPages, wikiSemanticSearch } from "./tools/search-tools";
import {
  wikiAggregateTransformation,
  wikiListTransformations,
  wikiRunTransformation,
  wikiTransformationRuns,
} from "./tools/transformation-tools";
import {
  wikiArchivePage,
  wikiCompilePage,
  wikiCreatePage,
  wikiDeletePage,
  wikiEnrichPage,
  wikiUnarchivePage,
  wikiUpdatePage,
} from "./tools/write-tools";
import { writePagesAbout } from "./transformations/compile-page";
import { transformationAnswers } from "./transformations/endpoints";
import { runQueuedTransformation } from "./transformations/run-transformation";
import { enrichQueue, pageQueue, transformationQueue } from "./work/work-queues";

export const knowledgeFamily = defineFamily({
  name: "knowledge",
  endpoints: [...knowledgeAnswers, ...transformationAnswers],
  tools: [
    wikiListKbs,
    wikiListPages,
    wikiReadPage,
    wikiReadMany,
    wikiSearchPages,
    wikiSemanticSearch,
    wikiTraceSource,
    wikiRelatedPages,
    wikiExplainRelation,
    wikiStalePages,
    wikiCreatePage,
    wikiUpdatePage,
    wikiCompilePage,
    wikiEnrichPage,
    wikiArchivePage,
    wikiUnarchivePage,
    wikiDeletePage,
    wikiListTransformations,
    wikiRunTransformation,
    wikiTransformationRuns,
    wikiAggregateTransformation,
  ],
  capabilities: [knowledge],
  forgetting: knowledgeForgetting,
  promptSection: { share: knowledgeShare, write: writeKnowledgeSection },
  queues: [
    handled(sourceQueue, readSource),
    handled(transformationQueue, runQueuedTransformation),
    handled(pageQueue, writePagesAbout),
    handled(enrichQueue, enrichPage),
    handled(embeddingQueue, embedBase),
  ],
  findLostWork: [findLostReading, findLostEmbeddings, lookAtFolders],
});
