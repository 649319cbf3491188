"use client";

import { ActionIcon, Menu, Modal, Select } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconDots, IconEraser, IconKey, IconMailForward, IconUserMinus } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { confirmRemoval } from "@/components/kit/resources/confirm-removal";
import { replaceRow } from "@/components/kit/resources/replace-row";
import { useMe, useRefusal } from "@/components/kit/session/me";
import classes from "@/components/kit/settings-frame/settings.module.css";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import rows from "@/components/kit/ui/lists/rows.module.css";
import shared from "@/components/kit/ui/shared.module.css";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { identityEndpoints, type User } from "@/contracts/browser/identity/identity";
import type { Invitation } from "@/contracts/identity/identity";
import type { Role } from "@/contracts/permissions";
import { ChangeMember } from "./change-member";
import { LateInvitationLink } from "./late-parts";
import { memberQueries } from "./queries";
import { managingRefusal, roleChoices, roleNames } from "./role-words";

// Loaded later, because few people erase.
const ErasePerson = dynamic(() => import("@/components/nouns/erasures/erase-person").then((file) => file.ErasePerson), { ssr: false });

/** A member with role and last visit. */
export function MemberRow({ user, isMe }: { user: User; isMe: boolean }) {
  const client = useQueryClient();
  const { role: mine } = useMe();
  const [changing, setChanging] = useState(false);
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const [erasing, setErasing] = useState(false);
  const { queryKey } = memberQueries.list();
  const eraseRefusal = useRefusal("people:erase");
  const refusal = managingRefusal(mine, user.role);
  const show = (changed: User) => client.setQueryData(queryKey, (list) => list && { ...list, items: replaceRow(list.items, changed) });
  const change = useMutation({
    mutationFn: (role: Role) => call(identityEndpoints.updateUser, { params: { id: user.id }, body: { role } }),
    onMutate: (role) => show({ ...user, role }),
    onError: () => show(user),
    onSuccess: (saved) => {
      show(saved);
      notifications.show({ message: spellHidden(`${saved.name} is ${roleNames[saved.role]} now`) });
    },
  });
  const invite = useMutation({
    mutationFn: () => call(identityEndpoints.invite, { params: { id: user.id } }),
    onSuccess: setInvitation,
  });
  const remove = () =>
    confirmRemoval({
      ...{ name: user.name, noun: "member" },
      loss: `${user.name} is signed out and cannot sign in to this workspace any more. Their events stay in the audit.`,
      remove: () => call(identityEndpoints.removeUser, { params: { id: user.id } }),
      refresh: () => client.invalidateQueries({ queryKey }),
    });
  return (
    <li className={`${rows.row} ${classes.row}`}>
      <div className={shared.shrinks}>
        <p className={`${classes.name} ${shared.strong} ${shared.wrapping}`}>
          <RevealedText text={user.name} /> {isMe ? <span className={classes.you}>you</span> : null}
        </p>
        <p className={shared.subline}>{user.email}</p>
      </div>
      <dl className={classes.times}>
        <div>
          <dt>Joined</dt>
          <dd>
            <RelativeTime at={user.createdAt} />
          </dd>
        </div>
        <div>
          <dt>Signed in</dt>
          <dd>{user.lastSignInAt ? <RelativeTime at={user.lastSignInAt} /> : "never"}</dd>
        </div>
      </dl>
      <div className={classes.action}>
        <DisabledReason reason={refusal}>
          <Select
            className={classes.role}
            aria-label={`Role of ${user.name}`}
            data={roleChoices(mine, user.role)}
            value={user.role}
            disabled={refusal !== null}
            allowDeselect={false}
            onChange={(role) => {
              if (role && role !== user.role) change.mutate(role);
            }}
          />
        </DisabledReason>
        <Menu position="bottom-end" withinPortal={false}>
          <Menu.Target>
            <ActionIcon size="lg" aria-label={`More for ${user.name}`}>
              <IconDots size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconKey size={16} aria-hidden />} disabled={refusal !== null} onClick={() => setChanging(true)}>
              Name and password
            </Menu.Item>
            <Menu.Item
              leftSection={<IconMailForward size={16} aria-hidden />}
              disabled={refusal !== null || isMe}
              onClick={() => invite.mutate()}
            >
              Invitation link
            </Menu.Item>
            <Menu.Item
              leftSection={<IconEraser size={16} aria-hidden />}
              disabled={refusal !== null || eraseRefusal !== null}
              onClick={() => setErasing(true)}
            >
              Export or erase data
            </Menu.Item>
            <Menu.Item
              leftSection={<IconUserMinus size={16} aria-hidden />}
              disabled={refusal !== null || isMe}
              color="red"
              onClick={remove}
            >
              Remove
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
        {erasing ? (
          <ErasePerson
            person={{ kind: "member", personId: user.id }}
            name={user.name}
            opened
            onClose={() => setErasing(false)}
            onErased={() => void client.invalidateQueries({ queryKey })}
          />
        ) : null}
        <ChangeMember user={user} opened={changing} onClose={() => setChanging(false)} />
        <Modal
          opened={invitation !== null}
          onClose={() => setInvitation(null)}
          title={spellHidden(`Invitation of ${user.name}`)}
          closeOnClickOutside={false}
          closeOnEscape={false}
        >
          {invitation ? <LateInvitationLink name={user.name} invitation={invitation} onDone={() => setInvitation(null)} /> : null}
        </Modal>
      </div>
    </li>
  );
}
