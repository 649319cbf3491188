import type { WorkQueueName } from "@/contracts/work";

export const queueWords: Record<WorkQueueName, { title: string; description: string }> = {
  deliver_webhook: { title: "Webhook deliveries", description: "One item per try of a delivery" },
  expire_approval: { title: "Approval expiry", description: "One item per approval, due when its time is up" },
  escalate_approval: { title: "Approval escalation", description: "One item per approval whose rule escalates" },
  start_scheduled_run: { title: "Runs of schedules", description: "Starts the agent's run when its schedule has fired" },
  add_recurring_todo: { title: "Recurring to-dos", description: "One item per recurring to-do, at its next time" },
  deliver_channel_message: { title: "Messages between agents", description: "Delivers a message to an agent that watches its channel" },
  advance_workflow: { title: "Workflows", description: "Takes the next step of a workflow, and stops the steps of a cancelled one" },
  start_workflow_step: { title: "Steps of workflows", description: "Starts the agent of one step" },
  run_schedule: { title: "Schedules", description: "One item per schedule, at its next run" },
  run_job: { title: "Background jobs", description: "One item per job that has to start" },
  remove_old_rows: {
    title: "Removal of old rows",
    description: "Every 5 minutes: deliveries after 30 days, hook runs after 14 days, finished work items",
  },
  ensure_audit_partitions: { title: "Audit tables", description: "Every hour: tables for the audit of the next months" },
  find_lost_work: { title: "Search for lost work", description: "Every minute: overdue approvals and deliveries that have no work item" },
};
