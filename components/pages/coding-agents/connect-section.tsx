"use client";

import shared from "@/components/kit/ui/shared.module.css";
import { ConnectCommand } from "./connect-command";

/** Shows the way to connect a machine, and the limits of hooks. */
export function ConnectSection({ address }: { address: string }) {
  return (
    <>
      <section className={shared.apart} aria-labelledby="connect-heading">
        <h2 className={shared.heading} id="connect-heading">
          Connect a coding agent
        </h2>
        <p>Each machine has a key of its own, which can ask, and can neither read rules nor decide.</p>
        <ConnectCommand address={address} />
        <p>
          <code>--undo</code> takes the hooks out again. Codex ignores new hooks until you type <code>/hooks</code> in it and trust them.
        </p>
      </section>
      <section className={shared.apart} aria-labelledby="limits-heading">
        <h2 className={shared.heading} id="limits-heading">
          What hooks cannot do
        </h2>
        <ul>
          <li>A person can remove a hook of their own settings, or start the client without hooks. Managed settings prevent that.</li>
          <li>
            Commands inside of an allowed script are not seen, nor files that an archive, a patch or a commit brings into the project. A
            container or the client&apos;s own sandbox confines them.
          </li>
          <li>Searches at the model&apos;s provider, and files that a person puts into the prompt, pass no hook.</li>
          <li>
            Links are told as they are before the call. Those in patterns, variables and scripts, and those that the call makes, are not.
          </li>
          <li>Gemini CLI is told of changed arguments after the call. Cursor is told to send the changed call itself.</li>
        </ul>
      </section>
    </>
  );
}
