const express = require('express');
const { captureException } = require('faultline');
const { announceServer, failToLoad, loadUser } = require('./users.mjs');

const app = express();
app.use(express.json());

const users = express.Router();
users.get('/:id', async (request, response) => {
  response.json(await loadUser(request.params.id));
});
users.get('/:id/broken', (request) => failToLoad(request.params.id));
app.use('/users', users);

app.use((error, _request, response, _next) => {
  captureException(error);
  response.status(500).json({ error: error.message });
});

const server = app.listen(0, '127.0.0.1', () => announceServer(server));
