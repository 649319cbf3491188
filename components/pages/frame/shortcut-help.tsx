"use client";

import { Kbd, Modal } from "@mantine/core";
import { useKnownShortcuts } from "@/components/kit/keyboard/shortcuts";
import shared from "@/components/kit/ui/shared.module.css";
import classes from "./shortcut-help.module.css";

/** All keys of the open page. */
export function ShortcutHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const known = useKnownShortcuts();
  const groups = opened ? [...known()] : [];
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" size="md">
      {groups.map(([group, shortcuts]) => (
        <section key={group} className={classes.group}>
          <h2 className={classes.heading}>{group}</h2>
          <dl className={shared.flush}>
            {shortcuts.map(({ keys, label }) => (
              <div key={keys} className={classes.line}>
                <dt>{label}</dt>
                <dd className={classes.keys}>
                  {keys.split(" ").map((key) => (
                    <Kbd key={key} size="xs">
                      {keyNames[key] ?? key}
                    </Kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Modal>
  );
}

const keyNames: Record<string, string> = { "mod+k": "Ctrl / ⌘ K", ArrowDown: "↓", ArrowUp: "↑", Escape: "Esc" };
