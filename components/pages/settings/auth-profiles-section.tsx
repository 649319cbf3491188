"use client";

import { Button, Modal } from "@mantine/core";
import { IconKey, IconPlus } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { confirmRemoval } from "@/components/kit/resources/confirm-removal";
import { useRefusal } from "@/components/kit/session/me";
import { Section } from "@/components/kit/settings-frame/section";
import classes from "@/components/kit/settings-frame/settings.module.css";
import rows from "@/components/kit/ui/lists/rows.module.css";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { authProfileQueries } from "@/components/nouns/http-tools/queries";
import { type AuthProfile, authProfileEndpoints } from "@/contracts/browser/tools/auth-profiles";

const AuthProfileForm = dynamic(() => import("./auth-profile-form").then((file) => file.AuthProfileForm), { ssr: false });

const kindWords = { bearer: "Bearer token", header: "Header", basic: "User name and password", query: "Query parameter" };

/** Credentials that Handrail adds to requests of HTTP tools. */
export function AuthProfilesSection() {
  const refusal = useRefusal("tools:write");
  const profiles = useQuery({ ...authProfileQueries.list(), enabled: refusal === null });
  const [edited, setEdited] = useState<AuthProfile | "new" | null>(null);
  if (refusal !== null) return null;
  const add = (
    <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited("new")}>
      Add auth profile
    </Button>
  );
  return (
    <Section
      id="auth-profiles"
      title="Auth profiles"
      description="Credentials of HTTP tools and url_fetch. Each is stored encrypted, sent to one origin only, and seen by no model."
      action={profiles.data && profiles.data.length > 0 ? add : undefined}
    >
      <Loaded query={profiles} what="the auth profiles" rows={2} height={3.75}>
        {(data) =>
          data.length === 0 ? (
            <EmptyState icon={IconKey} title="No auth profiles" action={add}>
              HTTP tools send requests without a credential until they have an auth profile.
            </EmptyState>
          ) : (
            <ul className={rows.rows}>
              {data.map((profile) => (
                <ProfileRow key={profile.id} profile={profile} onEdit={() => setEdited(profile)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <Modal
        opened={edited !== null}
        onClose={() => setEdited(null)}
        title={edited === "new" ? "Add an auth profile" : spellHidden(`Change ${edited?.name ?? ""}`)}
      >
        {edited ? <AuthProfileForm profile={edited === "new" ? null : edited} onDone={() => setEdited(null)} /> : null}
      </Modal>
    </Section>
  );
}

function ProfileRow({ profile, onEdit }: { profile: AuthProfile; onEdit: () => void }) {
  const client = useQueryClient();
  const { id, name, kind, origin, parameter, username, allowsFetch, toolCount, version } = profile;
  const remove = () =>
    confirmRemoval({
      ...{ name, noun: "auth profile", loss: "The secret is deleted. An auth profile that a tool uses cannot be removed." },
      remove: () => call(authProfileEndpoints.remove, { params: { id } }, { version }),
      refresh: () => client.invalidateQueries({ queryKey: authProfileQueries.list().queryKey }),
    });
  return (
    <li className={`${rows.row} ${classes.row}`}>
      <div className={shared.shrinks}>
        <p className={`${classes.name} ${shared.strong} ${shared.wrapping}`}>
          <RevealedText text={name} /> <CodeText dim>{origin}</CodeText>
        </p>
        <p className={shared.subline}>
          {kindWords[kind]} {(parameter ?? username) ? <CodeText dim>{parameter ?? username}</CodeText> : null} · {toolCount}{" "}
          {toolCount === 1 ? "tool" : "tools"}
          {allowsFetch ? " · url_fetch" : ""}
        </p>
      </div>
      <div className={shared.bar}>
        <Button variant="default" size="compact-sm" aria-label={`Change ${name}`} onClick={onEdit}>
          Change
        </Button>
        <Button variant="default" size="compact-sm" aria-label={`Remove ${name}`} onClick={remove}>
          Remove
        </Button>
      </div>
    </li>
  );
}
