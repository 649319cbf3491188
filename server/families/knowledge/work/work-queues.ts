import { z } from "zod";
import { Id } from "@/contracts/common";
import { defineQueue } from "@/server/platform/queue";

/** One item is one run of a transformation. */
export const transformationQueue = defineQueue({
  name: "run_knowledge_transformation",
  title: "Transformations of knowledge",
  description: "Makes another text of a source or a page by a model",
  input: z.object({ runId: Id }),
  retry: { attempts: 4, firstDelaySeconds: 5, maxDelaySeconds: 60 },
  concurrency: 2,
});

/** One item is one content of a source, about which a model writes pages. */
export const pageQueue = defineQueue({
  name: "write_knowledge_pages",
  title: "Pages about sources",
  description: "Writes pages about a source that was read, in bases of the mode eager",
  input: z.object({ sourceId: Id, revision: z.int() }),
  retry: { attempts: 4, firstDelaySeconds: 5, maxDelaySeconds: 60 },
  concurrency: 1,
});

/** One item is one page whose words become links to other pages. */
export const enrichQueue = defineQueue({
  name: "enrich_knowledge_page",
  title: "Links between pages",
  description: "Links the titles of other pages where a page names them",
  input: z.object({ pageId: Id }),
});
