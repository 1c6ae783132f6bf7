// SPDX-License-Identifier: Apache-2.0
// Search takes a word that begins with a dash as one to leave out; here it is an option: `--trace`.
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...more) {
  if (typeof message?.data === "string") {
    message = { ...message, data: message.data.replace(/(^|\s)[-+]+/g, "$1") };
  }
  return post.call(this, message, ...more);
};
