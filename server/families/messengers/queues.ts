import { z } from "zod";
import { Id } from "@/contracts/common";
import type { Db } from "@/db/client";
import { defineQueue, enqueue } from "@/server/platform/queue";

const input = z.object({ chatId: Id });

/** One item is one look at what a chat has received. Looks at one chat run one after another. */
export const chatQueue = defineQueue({
  name: "look_at_chat",
  title: "Messages of chats",
  description: "Takes what a chat of a messenger has received, in order",
  input,
  concurrency: 16,
});

/** One item is one look at what a chat is to be sent. */
export const partQueue = defineQueue({
  name: "send_to_chat",
  title: "Answers to chats",
  description: "Sends the parts that wait for a chat of a messenger, in order",
  input,
  concurrency: 16,
});

type Chat = { id: string; workspaceId: string };

/** Queues a look at what a chat has received, in the caller's transaction. */
export const lookAtChat = (tx: Db, { id, workspaceId }: Chat, startAfter?: Date): Promise<void> =>
  enqueue(tx, chatQueue, [{ workspaceId, input: { chatId: id }, ...(startAfter ? { startAfter } : {}) }]);

/** Queues a look at what a chat is to be sent, in the caller's transaction. */
export const sendToChat = (tx: Db, { id, workspaceId }: Chat, startAfter?: Date): Promise<void> =>
  enqueue(tx, partQueue, [{ workspaceId, input: { chatId: id }, ...(startAfter ? { startAfter } : {}) }]);
