import type { JsonObject } from "@/contracts/common";
import type { Turn } from "@/contracts/turns/turns";

/** Requests of a server for the client: by the name of the answer, each with the id under which this replica waits for it. */
export type ClientRequests = Readonly<Record<string, { id: string; method: string; params: JsonObject }>>;

/** How a call of a client stands when the client is to be answered. */
export type CallOutcome =
  /** `wasPending`: an earlier answer had no result. `isRepeat`: the client sent the call again without saying that it knows so. */
  | { kind: "finished"; turn: Turn; wasPending: boolean; isRepeat: boolean }
  /** The client took the call back. */
  | { kind: "withdrawn"; turn: Turn }
  /** Too much at once: nothing ran, and the model can wait and try again. */
  | { kind: "refused"; sentence: string }
  /** The client's user may open the approval's page; `round` of the client's questions so far. */
  | { kind: "asks_user"; turn: Turn; approvalId: string; digest: string; round: number }
  /** Its server asks the client something, which the client answers when it repeats the call. */
  | { kind: "asks_client"; turn: Turn; requests: ClientRequests; digest: string; round: number }
  /** The call goes on without the client, which gets the result later. */
  | { kind: "goes_on"; turn: Turn };
