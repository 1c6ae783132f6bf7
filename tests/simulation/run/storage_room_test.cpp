// SPDX-License-Identifier: Apache-2.0
#include "../../../simulation/src/run/storage_room.hpp"

#include <gtest/gtest.h>

#include "whole_seconds.hpp"

namespace railwright::simulation::replication {
namespace {

TEST(StorageRoom, AddsFilesFromBeforeCheckpointsAndGrowth) {
  StorageRoom room(100.0, 2.0, at(0));
  EXPECT_EQ(room.used(at(0)), 100.0);
  room.keep(50.0, at(10));
  EXPECT_EQ(room.used(at(10)), 100.0 + 50.0 + 2.0 * 10.0);
  room.remove(50.0, at(11));
  EXPECT_EQ(room.used(at(20)), 100.0 + 2.0 * 20.0);
}

TEST(StorageRoom, KnowsItsMaximaAfterCheckpointsAreDeleted) {
  StorageRoom room(100.0, 0.0, at(0));
  room.keep(50.0, at(1));
  room.keep(40.0, at(2));
  room.remove(90.0, at(2));
  room.keep(30.0, at(3));
  EXPECT_EQ(room.max_kept(), 90.0);
  EXPECT_EQ(room.max_used(at(4)), 190.0);
}

TEST(StorageRoom, IsFullestAtTheEndWhereOthersAddMost) {
  StorageRoom room(0.0, 1.0, at(0));
  room.keep(50.0, at(1));
  room.remove(50.0, at(2));
  EXPECT_EQ(room.max_used(at(20)), 51.0);
  EXPECT_EQ(room.max_used(at(200)), 200.0);
}

TEST(StorageRoom, SnapshotsHoldDeletedFilesForTheirTime) {
  StorageRoom room(100.0, 0.0, at(10));
  room.keep(50.0, at(1));
  room.remove(50.0, at(5));
  EXPECT_EQ(room.used(at(14)), 150.0);
  room.keep(20.0, at(14));
  EXPECT_EQ(room.used(at(15)), 120.0);
  EXPECT_EQ(room.max_used(at(20)), 170.0);
}

TEST(StorageRoom, WhatMovesAwayIsHeldByNoSnapshot) {
  StorageRoom room(0.0, 0.0, at(10));
  room.keep(50.0, at(1));
  room.move_away(50.0);
  EXPECT_EQ(room.used(at(2)), 0.0);
}

}  // namespace
}  // namespace railwright::simulation::replication
