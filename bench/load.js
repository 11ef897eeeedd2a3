// Sends requests on keep-alive connections, in a process of its own: `fork('load.js', [port])`, then a message with the
// number of requests; answers with a message when all were answered.

import { Agent, get } from 'node:http';
import { REQUEST_HEADERS } from './request-headers.js';

const CONNECTIONS = 16;

const port = Number(process.argv[2]);
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

process.on('message', async (requests) => {
  let left = requests;
  await Promise.all(Array.from({ length: CONNECTIONS }, drain));
  process.send(requests);

  async function drain() {
    while (left-- > 0) await request(left);
  }
});

function request(id) {
  return new Promise((resolve, reject) => {
    get({ port, agent, path: `/orders/${id}?page=2&sort=date`, headers: REQUEST_HEADERS }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`answered with ${response.statusCode}`));
      response.on('end', resolve).on('error', reject).resume();
    }).on('error', reject);
  });
}
