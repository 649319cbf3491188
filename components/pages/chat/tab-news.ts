const channelName = "handrail.chats";

const open = () => (typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(channelName));

/** Tells the other tabs of this browser that a conversation has a new message. */
export function tellChatNews(conversationId: string): void {
  const channel = open();
  channel?.postMessage(conversationId);
  channel?.close();
}

/** Calls back when another tab changed a conversation, until the returned function is called. */
export function onChatNews(listener: (conversationId: string) => void): () => void {
  const channel = open();
  if (channel) channel.onmessage = ({ data }) => typeof data === "string" && listener(data);
  return () => channel?.close();
}
