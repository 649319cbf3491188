import "server-only";
import { StartError } from "@/db/start-error";
import { refuseSealing } from "@/server/platform/crypto";
import { acceptLostSecrets } from "./environment";
import { adoptKey, keyOpensSecrets, secretKeyStatus } from "./secret-key-status";

/**
 * Compares the secret key with the database at the start. A wrong key is said and seals nothing, because the right key could not open
 * it; a key that was just made never joins secrets that another key sealed.
 * @param isNew whether this start made the key
 * @param say receives the sentences for the operator
 * @throws StartError for a new key beside secrets that another key sealed
 */
export async function checkSecretKey(isNew: boolean, say: (sentence: string) => void): Promise<void> {
  refuseSealing(null);
  if (await keyOpensSecrets()) return;
  if (acceptLostSecrets.value()) {
    await adoptKey();
    say(`HANDRAIL_ACCEPT_LOST_SECRETS: this key seals from now on. ${(await secretKeyStatus(null)).sentence}`);
    return;
  }
  const { sentence, wayOut } = await secretKeyStatus(null);
  if (isNew) throw new StartError(`the file secret-key is missing. ${sentence} ${wayOut}`);
  refuseSealing(`${sentence} ${wayOut}`);
  say(`${sentence} ${wayOut}`);
}
