require('faultline').init({ dsn: 'http://key@127.0.0.1:9/1' });
