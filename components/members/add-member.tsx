"use client";

import { Modal } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { identityEndpoints } from "@/contracts/browser/identity";
import { type MemberFields, MemberForm } from "./member-form";
import { memberQueries } from "./queries";

export function AddMember({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const add = useMutation({
    meta: { showsError: true },
    mutationFn: (fields: MemberFields) => call(identityEndpoints.createUser, { body: fields }),
    onSuccess: (user) => {
      onClose();
      notifications.show({ message: `${user.name} can sign in now` });
      return client.invalidateQueries({ queryKey: memberQueries.list().queryKey });
    },
  });
  const close = () => {
    add.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title="Add a member">
      <MemberForm
        initial={{ email: "", name: "", role: "approver", password: "" }}
        isNew
        action="Add member"
        busy={add.isPending}
        error={add.error}
        onSubmit={(fields) => add.mutate(fields)}
        onCancel={close}
      />
    </Modal>
  );
}
