import { z } from "zod";
import { addressOf } from "@/components/api/address-of";
import { listenToEvents } from "@/components/api/event-stream";
import { approvalEndpoints } from "@/contracts/approvals";

/** `read_again`: events may have been missed, or nothing came for a while. */
export type ApprovalNews = { kind: "requested" | "decided"; id: string } | { kind: "read_again" };

const News = z.union([
  z.object({ kind: z.enum(["requested", "decided"]), id: z.uuid() }),
  z.object({ kind: z.literal("read_again") }),
]) satisfies z.ZodType<ApprovalNews>;
const EventData = z.object({ id: z.uuid() });

const sharedName = "handrail.approvals";

/**
 * Calls back for each approval that is asked for or decided, until the returned function is called. Browsers allow few
 * connections to one server, so one tab holds the stream and tells the others; a tab that comes to the front takes it
 * over, because one in the back may be asleep.
 * @param onNews `isFirst` in one tab only: where the news came from the server, so that a sound is heard once
 */
export function watchApprovals(onNews: (news: ApprovalNews, isFirst: boolean) => void): () => void {
  // Without a secure context there are no locks; each tab then listens by itself.
  if (!("locks" in navigator)) return listenToStream((news) => onNews(news, true));

  const otherTabs = new BroadcastChannel(sharedName);
  otherTabs.onmessage = ({ data }) => {
    const news = News.safeParse(data);
    if (news.success) onNews(news.data, false);
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
  /** Another tab took over, or this one stopped waiting. */
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
  return listenToEvents(addressOf(approvalEndpoints.events), ["approval.requested", "approval.decided", "refresh"], {
    onOpen: () => onNews({ kind: "read_again" }),
    onEvent: ({ name, data }) => {
      const about = EventData.safeParse(data);
      if (about.success) onNews({ kind: name === "approval.requested" ? "requested" : "decided", id: about.data.id });
      else onNews({ kind: "read_again" });
    },
  });
}
