import net from 'node:net';
import { deserialize, serialize } from 'bson';

const HEADER_BYTES = 16;
const OP_MSG = 2013;
const FLAGS_BYTES = 4;
const SECTION_BODY = 0;
const SECTION_SEQUENCE = 1;

const HELLO = {
  ok: 1,
  isWritablePrimary: true,
  helloOk: true,
  minWireVersion: 0,
  maxWireVersion: 21,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
};

/**
 * Stands in for MongoDB: speaks OP_MSG on a local port, and knows the commands that the tests and the client send.
 * Clients that name an API version say hello in OP_MSG, too.
 */
export async function startMongo() {
  const documents = new Map();
  const commands = {
    hello: () => ({ ...HELLO, localTime: new Date() }),
    ping: () => ({ ok: 1 }),
    endSessions: () => ({ ok: 1 }),
    insert: ({ documents: inserted }) => {
      for (const one of inserted) documents.set(String(one._id), one);
      return { ok: 1, n: inserted.length };
    },
    find: ({ find, filter, $db }) => {
      const found = documents.get(String(filter._id));
      return { ok: 1, cursor: { id: 0n, ns: `${$db}.${find}`, firstBatch: found ? [found] : [] } };
    },
  };
  const answer = (command) => {
    const [name] = Object.keys(command);
    return commands[name]?.(command) ?? { ok: 0, code: 59, codeName: 'CommandNotFound', errmsg: `no command ${name}` };
  };
  const sockets = new Set();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    let bytes = Buffer.alloc(0);
    socket.on('data', (part) => {
      bytes = Buffer.concat([bytes, part]);
      while (bytes.length >= HEADER_BYTES && bytes.length >= bytes.readInt32LE(0)) {
        const length = bytes.readInt32LE(0);
        socket.write(formatReply(bytes.readInt32LE(4), answer(readCommand(bytes.subarray(0, length)))));
        bytes = bytes.subarray(length);
      }
    });
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `mongodb://127.0.0.1:${server.address().port}/?directConnection=true`,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Header, flags, and sections: the command, or documents that belong into one of its members. */
function readCommand(message) {
  const command = {};
  let position = HEADER_BYTES + FLAGS_BYTES;
  while (position < message.length) {
    const kind = message.readUInt8(position);
    const size = message.readInt32LE(position + 1);
    const section = message.subarray(position + 1, position + 1 + size);
    position += 1 + size;
    if (kind === SECTION_BODY) Object.assign(command, deserialize(section));
    if (kind === SECTION_SEQUENCE) Object.assign(command, readSequence(section));
  }
  return command;
}

function readSequence(section) {
  const nameEnd = section.indexOf(0, 4);
  const documents = [];
  for (let at = nameEnd + 1; at < section.length; at += section.readInt32LE(at)) {
    documents.push(deserialize(section.subarray(at, at + section.readInt32LE(at))));
  }
  return { [section.toString('utf8', 4, nameEnd)]: documents };
}

function formatReply(requestId, document) {
  const body = serialize(document);
  const head = Buffer.alloc(HEADER_BYTES + FLAGS_BYTES + 1);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(requestId, 8);
  head.writeInt32LE(OP_MSG, 12);
  return Buffer.concat([head, body]);
}
