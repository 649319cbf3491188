"use client";

import { Button, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconChevronDown, IconDownload, IconUpload } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { useRefusal } from "@/components/kit/session/me";
import { policyEndpoints } from "@/contracts/browser/guard/policy";
import type { GuardConfig } from "@/contracts/guard/guard";

const ImportDialog = dynamic(() => import("./import-dialog").then((file) => file.ImportDialog), { ssr: false });

/** Export and import of rules and settings. */
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
            Export guard
          </Menu.Item>
          <Menu.Item leftSection={<IconUpload size={16} aria-hidden />} disabled={refusal !== null} onClick={() => setImporting(true)}>
            Import guard…
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
    link.download = `guard-${exported.exportedAt.slice(0, 10)}.json`;
    link.click();
    URL.revokeObjectURL(address);
  } catch (error) {
    notifications.show({ color: "red", message: toErrorSentence(error) });
  }
}
