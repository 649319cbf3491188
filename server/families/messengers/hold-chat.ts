import "server-only";
import { and, eq, isNull } from "drizzle-orm";
import { messengerChats } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { bootId } from "@/server/platform/ids";
import { isReplicaGone } from "@/server/replicas/presence";

type Claim = "receivingBy" | "sendingBy";

/**
 * Does work on a chat that only one handler of all replicas may do at a time. A handler that finds the chat taken leaves: the other one
 * looks again after it has let go.
 * @param work returns the open rows that it has seen
 * @param openRows the rows that are open now
 */
export async function holdChat(
  chatId: string,
  claim: Claim,
  { work, openRows }: { work: () => Promise<ReadonlySet<string>>; openRows: () => Promise<readonly string[]> },
): Promise<void> {
  for (;;) {
    if (!(await take(chatId, claim))) return;
    let seen: ReadonlySet<string>;
    try {
      seen = await work();
    } finally {
      await db()
        .update(messengerChats)
        .set({ ...looked(claim), [claim]: null })
        .where(and(eq(messengerChats.id, chatId), eq(messengerChats[claim], bootId())));
    }
    if ((await openRows()).every((id) => seen.has(id))) return;
  }
}

/** A message that is stored from now on queues a look of its own. The chat's row is locked, so this look sees each one of before. */
const looked = (claim: Claim) => (claim === "receivingBy" ? { storedSinceLook: 0 } : {});

async function take(chatId: string, claim: Claim): Promise<boolean> {
  const column = messengerChats[claim];
  const takeWhere = async (condition: ReturnType<typeof isNull>) => {
    const taken = await db()
      .update(messengerChats)
      .set({ ...looked(claim), [claim]: bootId() })
      .where(and(eq(messengerChats.id, chatId), condition))
      .returning({ id: messengerChats.id });
    return taken.length > 0;
  };
  if (await takeWhere(isNull(column))) return true;
  const [row] = await db().select({ holder: column }).from(messengerChats).where(eq(messengerChats.id, chatId));
  if (!row?.holder) return row ? takeWhere(isNull(column)) : false;
  return (await isReplicaGone(row.holder)) ? takeWhere(eq(column, row.holder)) : false;
}
