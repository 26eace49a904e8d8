mod house;
mod rest;
mod stream;
mod tools;
