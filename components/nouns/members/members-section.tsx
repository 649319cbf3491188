"use client";

import { IconUserPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMe, useRefusal } from "@/components/kit/session/me";
import { AdminsOnly } from "@/components/kit/settings-frame/admins-only";
import { Section } from "@/components/kit/settings-frame/section";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import rows from "@/components/kit/ui/lists/rows.module.css";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { AddMember } from "./add-member";
import { MemberRow } from "./member-row";
import { memberQueries } from "./queries";

/** The members of the workspace with their roles. */
export function MembersSection() {
  const refusal = useRefusal("admin");
  const me = useMe();
  const [adding, setAdding] = useState(false);
  const users = useQuery({ ...memberQueries.list(), enabled: refusal === null });
  return (
    <Section
      id="members"
      title="Members"
      description="Viewers read. Approvers also decide approvals. Admins change everything. Owners also manage admins."
      action={
        <RefusableButton refusal={refusal} leftSection={<IconUserPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
          Add member
        </RefusableButton>
      }
    >
      {refusal !== null ? (
        <AdminsOnly what="members" reason={refusal} />
      ) : (
        <Loaded query={users} what="the members" rows={3} height={3.75}>
          {(data) => (
            <ul className={rows.rows}>
              {data.items.map((user) => (
                <MemberRow key={user.id} user={user} isMe={me.actor.id === user.id} />
              ))}
            </ul>
          )}
        </Loaded>
      )}
      <AddMember opened={adding} onClose={() => setAdding(false)} />
    </Section>
  );
}
