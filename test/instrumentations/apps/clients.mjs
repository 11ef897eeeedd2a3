// One route for each client of a database or another service.
import http from 'node:http';
import express from 'express';
import { captureMessage } from 'faultline';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import pg from 'pg';
import { pino } from 'pino';
import { createClient } from 'redis';
import { request } from 'undici';
import { announceServer, identify } from './users.mjs';

const { POSTGRES_URL, REDIS_URL, MONGO_URL, HTTP_URL } = process.env;

const pool = new pg.Pool({ connectionString: POSTGRES_URL, max: 5 });
const redis = await createClient({ url: REDIS_URL }).connect();
const ioredis = new Redis(REDIS_URL);
const mongo = await new MongoClient(MONGO_URL, { serverApi: '1' }).connect();
const users = mongo.db('shop').collection('users');

const lines = [];
const logger = pino({}, { write: (line) => lines.push(line) });

const clients = {
  async pg(id) {
    const { rows } = await pool.query('SELECT id FROM users WHERE id = $1', [id]);
    return rows;
  },
  async redis(id) {
    await redis.set(`user:${id}`, id);
    return redis.get(`user:${id}`);
  },
  async ioredis(id) {
    await ioredis.set(`visitor:${id}`, id);
    return ioredis.get(`visitor:${id}`);
  },
  async mongodb(id) {
    await users.insertOne({ _id: id });
    return users.findOne({ _id: id });
  },
  async undici(id) {
    const { body } = await request(`${HTTP_URL}/users/${id}`);
    return body.json();
  },
  async fetch(id) {
    const response = await fetch(`${HTTP_URL}/users/${id}`);
    return response.json();
  },
  http: (id) =>
    new Promise((resolve, reject) => {
      const requested = http.get(`${HTTP_URL}/users/${id}`, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        response.on('end', () => resolve(JSON.parse(text)));
      });
      requested.on('error', reject);
    }),
  pino(id) {
    logger.info(`user ${id}`);
    return lines.pop();
  },
};

const app = express();
for (const [name, use] of Object.entries(clients)) {
  app.get(`/${name}/:id`, async ({ params: { id } }, response) => {
    identify(id);
    const result = await use(id);
    captureMessage(`${name} ${id}`);
    response.json(result);
  });
}

const end = () => Promise.all([pool.end(), redis.close(), ioredis.disconnect(), mongo.close()]);
const server = app.listen(0, '127.0.0.1', () => announceServer(server, end));
