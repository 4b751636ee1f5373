import { makeSecrets } from '#server/secrets.ts';

// Prints new secrets for a production server, one variable per line.
const { jwtKeys, refreshTokenSecret, publishableKey, secretKey } = await makeSecrets();
console.log(`JWT_KEYS='${JSON.stringify(jwtKeys)}'`);
console.log(`REFRESH_TOKEN_SECRET='${refreshTokenSecret}'`);
console.log(`PUBLISHABLE_KEY='${publishableKey}'`);
console.log(`SECRET_KEY='${secretKey}'`);
