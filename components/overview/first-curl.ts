/** A walk through the main job in a shell: a conversation, and a turn of a call that runs and a call that asks. */
export function firstCurl(publicUrl: string): string {
  return `KEY=hr_...   # the key that was shown once

CONVERSATION=$(curl -s ${publicUrl}/api/v1/conversations \\
  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{}' | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')

curl -s ${publicUrl}/api/v1/conversations/$CONVERSATION/turns \\
  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"calls": [
        {"id": "1", "name": "date_time", "arguments": {}},
        {"id": "2", "name": "write_file", "arguments": {"path": "hello.txt", "content": "Hello"}}
      ], "wait": 60}'`;
}
