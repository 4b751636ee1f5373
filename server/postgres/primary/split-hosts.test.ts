import { expect, test } from 'vitest';
import { asksForPrimary, splitHosts } from './split-hosts.ts';

test.each([
  ['postgres://me@db1:5432,db2:5433/reunite', ['postgres://me@db1:5432/reunite', 'postgres://me@db2:5433/reunite']],
  ['postgresql://db1,db2,db3', ['postgresql://db1', 'postgresql://db2', 'postgresql://db3']],
  [
    'postgres://me:a%2Cb%40@[2001:db8::1]:5433,[2001:db8::2]/reunite?sslmode=verify-full',
    [
      'postgres://me:a%2Cb%40@[2001:db8::1]:5433/reunite?sslmode=verify-full',
      'postgres://me:a%2Cb%40@[2001:db8::2]/reunite?sslmode=verify-full',
    ],
  ],
  [
    'postgres://me:a,b@db1,db2/reunite?target_session_attrs=read-write&application_name=a',
    ['postgres://me:a,b@db1/reunite?application_name=a', 'postgres://me:a,b@db2/reunite?application_name=a'],
  ],
  [
    'postgres:///reunite?host=/run/a,/run/b&port=1,2',
    ['postgres:///reunite?host=%2Frun%2Fa&port=1', 'postgres:///reunite?host=%2Frun%2Fb&port=2'],
  ],
  [
    'postgres:///reunite?host=/run/a,/run/b&port=1',
    ['postgres:///reunite?host=%2Frun%2Fa&port=1', 'postgres:///reunite?host=%2Frun%2Fb&port=1'],
  ],
])('%s is split into one address for each server', (address, urls) => {
  expect(splitHosts(address)).toEqual(urls);
});

test.each([
  'postgres://reunite:p%23ss@db:5432/reunite?sslmode=verify-full',
  'postgresql:///reunite?host=/var/run/postgresql&user=reunite',
  'postgres://reunite@[2001:db8::1]/reunite',
])('%s, of one server, stays as it is', (address) => {
  expect(splitHosts(address)).toEqual([address]);
});

test.each([
  'mysql://db1,db2/reunite',
  'postgres://db1,,db2/reunite',
  'postgres://db1,:5433/reunite',
  'postgres://db1:99999,db2/reunite',
  'postgres://user:p#ss@db1,db2/reunite',
  'postgres:///reunite?host=a,b,c&port=1,2',
  'postgres:///reunite?host=a,&port=1',
  'postgres://db1/reunite?port=1,2',
])('%s is malformed', (address) => {
  expect(splitHosts(address)).toBeNull();
});

test.each([
  ['postgres://db1,db2/reunite', true],
  ['postgres://db1,db2/reunite?target_session_attrs=read-write', true],
  ['postgres://db1,db2/reunite?sslmode=require&target_session_attrs=primary', true],
  ['postgres://db1,db2/reunite?target_session_attrs=any', false],
  ['postgres://db1/reunite?target_session_attrs=prefer-standby', false],
])('whether %s asks for the primary: %s', (address, asks) => {
  expect(asksForPrimary(address)).toBe(asks);
});
