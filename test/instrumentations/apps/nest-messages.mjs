// A microservice of Nest that gets messages at the same time: each has a tag of its own, and all but one fail.
import 'reflect-metadata';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ClientProxyFactory, MessagePattern, RpcException, Transport } from '@nestjs/microservices';
import { close, getClient, init, setTag } from 'faultline';
import { FaultlineModule } from 'faultline/nest';
import { lastValueFrom } from 'rxjs';
import { announce } from '../../support/services/announce.mjs';

const { DSN, PORT, SETUP } = process.env;
init({ dsn: DSN, ...(SETUP === 'traced' && { tracesSampleRate: 1 }) });

class Mails {
  async send({ way }) {
    const isTagged = way !== 'untagged';
    if (isTagged) setTag('way', way);
    await sleep(isTagged ? 5 : 20); // the others set theirs meanwhile
    if (way === 'fine') return 'sent';
    throw way === 'answer' ? new RpcException(way) : new Error(way);
  }
}
MessagePattern('send')(Mails.prototype, 'send', Object.getOwnPropertyDescriptor(Mails.prototype, 'send'));
Controller()(Mails);

class App {}
Module({ imports: [FaultlineModule.forRoot()], controllers: [Mails] })(App);

const transport = { transport: Transport.TCP, options: { host: '127.0.0.1', port: Number(PORT) } };
const app = await NestFactory.createMicroservice(App, { ...transport, logger: false });
await app.listen();

const client = ClientProxyFactory.create(transport);
const send = (way) => lastValueFrom(client.send('send', { way })).catch(({ message }) => message);
const answers = await Promise.all(['first', 'untagged', 'answer', 'fine'].map(send));

const server = createServer((_, response) => response.end(JSON.stringify(answers))).listen(0, '127.0.0.1', () =>
  announce(server, { close, getClient }, async () => {
    await client.close();
    await app.close();
  }),
);
