module.exports = require('faultline');
