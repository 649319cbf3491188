"use client";

import { Button, Menu } from "@mantine/core";
import { IconFileImport, IconPlus, IconWorldUpload } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { FormSkeleton } from "@/components/kit/resources/form-skeleton";
import { useRefusal } from "@/components/kit/session/me";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import { DetailDrawer } from "@/components/kit/ui/overlays/detail-drawer";

// Loaded on demand, because most visits add no tool.
const HttpToolForm = dynamic(() => import("./http-tool-form").then((file) => file.HttpToolForm), { ssr: false, loading: FormSkeleton });
const OpenApiImport = dynamic(() => import("./openapi-import").then((file) => file.OpenApiImport), { ssr: false, loading: FormSkeleton });

const ways = ["http", "openapi"] as const;
const titles = { http: "Add an HTTP tool", openapi: "Import OpenAPI" };

/** Adds tools to the workspace: a custom HTTP tool, or operations of an OpenAPI document. */
export function AddTool() {
  const refusal = useRefusal("tools:write");
  const [{ add }, setAddress] = useQueryStates({ add: parseAsStringLiteral(ways), tool: parseAsString }, { history: "push" });
  const close = () => void setAddress({ add: null });
  return (
    <>
      <Menu position="bottom-end" disabled={refusal !== null}>
        {/* The menu needs the button itself as its target, so the reason stands around the target. */}
        <DisabledReason reason={refusal}>
          <Menu.Target>
            <Button leftSection={<IconPlus size={16} aria-hidden />} disabled={refusal !== null}>
              Add tool
            </Button>
          </Menu.Target>
        </DisabledReason>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconWorldUpload size={16} aria-hidden />} onClick={() => void setAddress({ add: "http", tool: null })}>
            Custom HTTP tool
          </Menu.Item>
          <Menu.Item leftSection={<IconFileImport size={16} aria-hidden />} onClick={() => void setAddress({ add: "openapi", tool: null })}>
            Import OpenAPI
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <DetailDrawer opened={add !== null && refusal === null} onClose={close} title={add ? titles[add] : ""} holds="form">
        {add === "http" ? (
          <HttpToolForm tool={null} onSaved={(name) => void setAddress({ add: null, tool: name })} onCancel={close} />
        ) : add === "openapi" ? (
          <OpenApiImport onDone={close} onCancel={close} />
        ) : null}
      </DetailDrawer>
    </>
  );
}
