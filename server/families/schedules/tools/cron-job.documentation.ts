/** Documentation of cron_job beyond its description. */
export const cronJobDocumentation = `
Use it for work that an agent does again and again. For a text that people should read later use create_reminder, and for one run in some
minutes use its inMinutes.

{"action":"create","name":"Morning report","cronExpression":"0 9 * * 1-5","timezone":"Europe/Paris","triggerMessage":"Summarise yesterday's orders of the data source sales and send the result to the channel sales."}

cronExpression has five fields: minute, hour, day of the month, month, day of the week (0 and 7 are Sunday).
- */15 * * * *   every 15 minutes
- 0 9 * * 1-5    at 9:00 from Monday to Friday
- 30 8 1 * *     at 8:30 on the first of each month

- Each run opens a new conversation, which knows nothing of this one. So triggerMessage names everything that the run needs: which data,
  what to do with it, and where the result goes.
- timezone is an IANA name; without it the times are UTC. Ask the user when it matters, and say the next run in the user's time.
- list shows the ids. toggle with enabled: false pauses a job, and delete removes it for good: take the id from list.
- A run does its calls under the same rules as any other. A call that needs approval waits for a person, so say so to the user.`.trim();
