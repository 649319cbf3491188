import type { JsonObject } from "@/contracts/common";
import type { ActionRun } from "./browser-action";
import type { BrowserSession } from "./browser-session";
import type { SessionFile } from "./news";

export type ActionDone = {
  /** A sentence of ours about what was done. */
  said: string;
  /** Text of the page. */
  external?: string;
  files?: SessionFile[];
  facts?: JsonObject;
  /** The result shows the page as it is afterwards. */
  changesPage?: boolean;
  /** The result shows more of the page than others, and lines that no result has shown yet. */
  readsOn?: boolean;
};

/** The outcome of an action; a function when only the settled page tells. */
export type Performed = ActionDone | (() => Promise<ActionDone>);

export type Perform = (session: BrowserSession, run: ActionRun) => Promise<Performed>;
