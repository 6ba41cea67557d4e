import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? '');
createServer(async (request, response) => {
  const verified = text(request).then((body) => webhook.verify(body, request.headers));
  const event = await verified.catch(() => null);
  response.writeHead(event ? 204 : 400).end();
  if (event) process.stdout.write(`${event.id} ${event.type} ${JSON.stringify(event.data)}\n`);
}).listen(process.env.PORT ?? 8080);
