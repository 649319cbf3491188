import { isId } from "@/components/kit/api/address-parts";
import { endpointAddress } from "@/components/kit/api/endpoint-address";
import { listenToEvents } from "@/components/kit/api/event-stream";
import { isJsonObject } from "@/components/kit/api/read-json";
import { approvalEndpoints } from "@/contracts/browser/approvals/approvals";

/** `read_again`: events may have been missed; `quiet`: no event came for a while. */
export type ApprovalNews = { kind: "requested" | "decided"; id: string } | { kind: "quarantined" | "read_again" | "quiet" };

const withoutId = new Set<unknown>(["quarantined", "read_again", "quiet"]);

/** Validates a message, because another tab may run an older version of the page. */
function isNews(data: unknown): data is ApprovalNews {
  if (!isJsonObject(data)) return false;
  if (withoutId.has(data.kind)) return true;
  return (data.kind === "requested" || data.kind === "decided") && idIn(data) !== null;
}

function idIn(data: unknown): string | null {
  return isJsonObject(data) && typeof data.id === "string" && isId(data.id) ? data.id : null;
}

const sharedName = "handrail.approvals";

/**
 * Calls back for each requested or decided approval until the returned function is called. Browsers allow few
 * connections per server, so one tab holds the stream and forwards events to the others. A tab that comes to the front
 * takes the stream over, because a background tab may be suspended.
 * @param onNews `isFirst` is true only in the tab that received the event from the server, so that a sound plays once
 */
export function watchApprovals(onNews: (news: ApprovalNews, isFirst: boolean) => void): () => void {
  // Without a secure context there are no locks, so each tab opens its own stream.
  if (!("locks" in navigator)) return listenToStream((news) => onNews(news, true));

  const otherTabs = new BroadcastChannel(sharedName);
  otherTabs.onmessage = ({ data }) => {
    if (isNews(data)) onNews(data, false);
  };

  let isStopped = false;
  let stopLeading: (() => void) | null = null;
  let waiting = new AbortController();

  const hold = () =>
    new Promise<void>((release) => {
      if (isStopped) return release();
      const stopListening = listenToStream((news) => {
        onNews(news, true);
        otherTabs.postMessage(news);
      });
      stopLeading = () => {
        stopListening();
        stopLeading = null;
        release();
      };
    });
  const waitToLead = () => {
    waiting = new AbortController();
    navigator.locks.request(sharedName, { signal: waiting.signal }, hold).catch(followAgain);
  };
  const takeOver = () => {
    waiting.abort();
    navigator.locks.request(sharedName, { steal: true }, hold).catch(followAgain);
  };
  /** Runs when another tab took the lock, or this tab stopped waiting for it. */
  const followAgain = () => {
    const hadTheLead = stopLeading !== null;
    stopLeading?.();
    if (hadTheLead && !isStopped) waitToLead();
  };
  const comeToFront = () => {
    if (document.visibilityState === "visible" && !stopLeading) takeOver();
  };
  if (document.visibilityState === "visible") takeOver();
  else waitToLead();
  document.addEventListener("visibilitychange", comeToFront);

  return () => {
    isStopped = true;
    document.removeEventListener("visibilitychange", comeToFront);
    waiting.abort();
    stopLeading?.();
    otherTabs.close();
  };
}

function listenToStream(onNews: (news: ApprovalNews) => void): () => void {
  return listenToEvents(
    endpointAddress(approvalEndpoints.events),
    ["approval.requested", "approval.voted", "approval.escalated", "approval.decided", "tool.quarantined", "tool.pin_decided", "refresh"],
    {
      onOpen: () => onNews({ kind: "read_again" }),
      onEvent: ({ name, data }) => {
        const id = idIn(data);
        if (id) onNews({ kind: name === "approval.requested" ? "requested" : "decided", id });
        else if (name === "refresh") onNews({ kind: "quiet" });
        else onNews({ kind: name === "tool.quarantined" ? "quarantined" : "read_again" });
      },
    },
  );
}
