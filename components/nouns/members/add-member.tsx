"use client";

import { Modal } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { isApiProblem } from "@/components/kit/api/api-problem";
import { call } from "@/components/kit/api/call";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { identityEndpoints, type User } from "@/contracts/browser/identity/identity";
import type { Invitation } from "@/contracts/identity/identity";
import { LateInvitationLink, LateMemberForm, preloadMemberForm } from "./late-parts";
import type { MemberFields } from "./member-form";
import { memberQueries } from "./queries";

type Added = { user: User; invitation: Invitation | null };

/** Adds a member, then shows the link with which the person chooses a password. */
export function AddMember({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  useEffect(preloadMemberForm, []);
  const client = useQueryClient();
  const [added, setAdded] = useState<Added | null>(null);
  const add = useMutation({
    meta: { showsError: true },
    mutationFn: async ({ email, name, role }: MemberFields): Promise<Added> => {
      const user = await call(identityEndpoints.createUser, { body: { email, name, role } });
      return { user, invitation: await inviteNew(user) };
    },
    onSuccess: (result) => {
      if (result.invitation) setAdded(result);
      else {
        onClose();
        notifications.show({ message: spellHidden(`${result.user.name} signs in with the password of their other workspace`) });
      }
      return client.invalidateQueries({ queryKey: memberQueries.list().queryKey });
    },
  });
  const close = () => {
    add.reset();
    setAdded(null);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={added ? spellHidden(`${added.user.name} is added`) : "Add a member"}
      // A click beside the dialog must not close it, because the link is shown only once.
      closeOnClickOutside={!added}
      closeOnEscape={!added}
    >
      {added?.invitation ? (
        <LateInvitationLink name={added.user.name} invitation={added.invitation} onDone={close} />
      ) : (
        <LateMemberForm
          initial={{ email: "", name: "", role: "approver", password: "" }}
          isNew
          hasPassword={false}
          action="Add member"
          busy={add.isPending}
          error={add.error}
          onSubmit={(fields) => add.mutate(fields)}
          onCancel={close}
        />
      )}
    </Modal>
  );
}

/** Invites a new member; null for a person of another workspace, who has a password already. */
function inviteNew(user: User): Promise<Invitation | null> {
  return call(identityEndpoints.invite, { params: { id: user.id } }).catch((error: unknown) => {
    if (isApiProblem(error) && error.problem.code === "conflict") return null;
    throw error;
  });
}
