"use client";

import { Anchor } from "@mantine/core";
import Link from "next/link";
import { CodeBlock } from "@/components/kit/ui/code-block";
import shared from "@/components/kit/ui/shared.module.css";

/** Shows the way to connect a machine, and the limits of hooks. */
export function ConnectSection({ address }: { address: string }) {
  return (
    <>
      <section className={shared.apart} aria-labelledby="connect-heading">
        <h2 className={shared.heading} id="connect-heading">
          Connect a coding agent
        </h2>
        <p>
          Make a key with the scope <code>guard:ask</code> in the{" "}
          <Anchor component={Link} href="/settings" underline="always">
            settings
          </Anchor>
          , one for each machine. It can ask, and can neither read rules nor decide. Then run this on the machine:
        </p>
        <CodeBlock label="Connect" text={`curl -fsS ${address}/connect | HANDRAIL_KEY=hr_... sh -s claude-code`} />
        <p>
          In place of <code>claude-code</code>: <code>codex</code>, <code>gemini</code>, <code>copilot</code>, <code>opencode</code> or{" "}
          <code>cursor</code>. <code>--undo</code> takes the hooks out again, and <code>--mode desk</code> lets the keyboard answer, too.
          Codex ignores new hooks until you type <code>/hooks</code> in it and trust them.
        </p>
      </section>
      <section className={shared.apart} aria-labelledby="limits-heading">
        <h2 className={shared.heading} id="limits-heading">
          What hooks cannot do
        </h2>
        <ul>
          <li>A person can remove a hook of their own settings, or start the client without hooks. Managed settings prevent that.</li>
          <li>Commands inside of an allowed script are not seen. A container or the client&apos;s own sandbox confines them.</li>
          <li>Searches at the model&apos;s provider, and files that a person puts into the prompt, pass no hook.</li>
          <li>Gemini CLI and Cursor are told of changed arguments only after the call.</li>
        </ul>
      </section>
    </>
  );
}
