"use client";

import { Modal } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { useMe } from "@/components/kit/session/me";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { identityEndpoints, type User } from "@/contracts/browser/identity/identity";
import { LateMemberForm } from "./late-parts";
import type { MemberFields } from "./member-form";
import { memberQueries } from "./queries";

export function ChangeMember({ user, opened, onClose }: { user: User; opened: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const { actor } = useMe();
  const save = useMutation({
    meta: { showsError: true },
    mutationFn: ({ name, password }: MemberFields) =>
      call(identityEndpoints.updateUser, { params: { id: user.id }, body: { name, ...(password === "" ? {} : { password }) } }),
    onSuccess: (saved) => {
      onClose();
      notifications.show({ message: spellHidden(`${saved.name} is saved`) });
      return client.invalidateQueries({ queryKey: memberQueries.list().queryKey });
    },
  });
  const close = () => {
    save.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={spellHidden(`Change ${user.name}`)}>
      <LateMemberForm
        initial={{ email: user.email, name: user.name, role: user.role, password: "" }}
        isNew={false}
        hasPassword={actor.id !== user.id}
        action="Save"
        busy={save.isPending}
        error={save.error}
        onSubmit={(fields) => save.mutate(fields)}
        onCancel={close}
      />
    </Modal>
  );
}
