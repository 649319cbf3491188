"use client";

import { Button, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconChevronDown, IconDownload, IconUpload } from "@tabler/icons-react";
import { useState } from "react";
import { call } from "@/components/api/call";
import { sentenceOf } from "@/components/api/sentence-of";
import { useRefusal } from "@/components/shell/me";
import type { GuardConfig } from "@/contracts/guard";
import { policyEndpoints } from "@/contracts/policy";
import { ImportDialog } from "./import-dialog";

/** Rules out of the workspace into a file, and from a file into the workspace. */
export function TransferMenu({ config }: { config: GuardConfig }) {
  const refusal = useRefusal("guard:write");
  const [isImporting, setImporting] = useState(false);
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden />}>
            File
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconDownload size={16} aria-hidden />} onClick={() => void download()}>
            Export rules
          </Menu.Item>
          <Menu.Item leftSection={<IconUpload size={16} aria-hidden />} disabled={refusal !== null} onClick={() => setImporting(true)}>
            Import rules…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isImporting ? <ImportDialog policyVersion={config.policyVersion} onClose={() => setImporting(false)} /> : null}
    </>
  );
}

async function download(): Promise<void> {
  try {
    const exported = await call(policyEndpoints.exportRules, {});
    const address = URL.createObjectURL(new Blob([`${JSON.stringify(exported, null, 2)}\n`], { type: "application/json" }));
    const link = document.createElement("a");
    link.href = address;
    link.download = `guard-rules-${exported.exportedAt.slice(0, 10)}.json`;
    link.click();
    URL.revokeObjectURL(address);
  } catch (error) {
    notifications.show({ color: "red", message: sentenceOf(error) });
  }
}
